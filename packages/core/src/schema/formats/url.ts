/**
 * The format `url`: an http, https or ftp URL with a host and without spaces. Runs in linear time. Has no flags, so
 * that a schema can contain it.
 */
export const urlPattern: RegExp = /^(?:[hH][tT][tT][pP][sS]?|[fF][tT][pP]):\/\/[^\s/?#]+(?:[/?#]\S*)?$/u
