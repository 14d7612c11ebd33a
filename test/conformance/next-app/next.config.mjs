export default {
  // The modules a suite mounts must be the ones it imports itself.
  poweredByHeader: false,
}
