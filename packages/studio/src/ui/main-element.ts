/** Returns the element that holds the page. Menus open within it, so that screen readers find them in a landmark. */
export function mainElement(): HTMLElement | null {
  return document.getElementById('main')
}
