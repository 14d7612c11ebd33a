export default {
  // The suite must mount the same modules that it imports.
  poweredByHeader: false,
}
