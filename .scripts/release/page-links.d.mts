export function toPage(url: string): string
export function toPageLinks(text: string, folder: string, page: string): string
