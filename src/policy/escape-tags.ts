/** Text that stands inside tags of the runtime's own: nothing in it can open or close one. Quotes stay as they are. */
export const escapeTags = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
