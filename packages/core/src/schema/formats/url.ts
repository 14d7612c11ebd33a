/**
 * The format `url`: an address of the web or of FTP, with a host and without spaces. Takes time in proportion to the
 * text. Without flags, so that it can stand in a schema.
 */
export const urlPattern: RegExp = /^(?:[hH][tT][tT][pP][sS]?|[fF][tT][pP]):\/\/[^\s/?#]+(?:[/?#]\S*)?$/u
