/** Whether every character of a text stands in an XML attribute as it is: no control characters, no halves of a pair. */
export function isXmlText(text: string): boolean {
  return text.isWellFormed() && !/[\u0000-\u001F\u007F-\u009F\uFFFE\uFFFF]/u.test(text);
}
