// Makes DOM elements from code; text is always set as text, never parsed as markup.

export type Child = Node | string | null | undefined | false;
type Handlers = { [K in keyof HTMLElementEventMap as `on${K}`]?: (event: HTMLElementEventMap[K]) => void };
export type Props = Record<string, string | number | boolean | null | undefined | ((event: never) => void)>;

/** h('button', {class: 'x', onclick: f}, 'text'): attributes by name, handlers by their on-name, children as nodes or text. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, props: Handlers | Props | null = null, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(props ?? {})) {
    if (typeof value === 'function') element.addEventListener(key.slice(2), value as EventListener);
    else if (value === true) element.setAttribute(key, '');
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(key, String(value));
  }
  append(element, children);
  return element;
}

export function append(element: Element, children: Child[]): void {
  for (const child of children) if (child) element.append(child);
}

const kSvg = 'http://www.w3.org/2000/svg';

/** Makes a button of something drawn. */
export function activated<E extends Element>(element: E, act: () => void): E {
  element.addEventListener('click', act);
  element.addEventListener('keydown', (e) => {
    if (!(e instanceof KeyboardEvent) || (e.key !== 'Enter' && e.key !== ' ')) return;
    e.preventDefault();
    e.stopPropagation();
    act();
  });
  return element;
}

/** A 16 by 16 icon made of paths; `solid` paths are filled, the others are stroked. */
export function icon(stroked: string, solid = ''): SVGSVGElement {
  const svg = document.createElementNS(kSvg, 'svg');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('aria-hidden', 'true');
  svg.classList.add('icon');
  for (const [d, className] of [[solid, 'solid'], [stroked, 'stroked']]) {
    if (!d) continue;
    const path = document.createElementNS(kSvg, 'path');
    path.setAttribute('d', d);
    path.classList.add(className);
    svg.append(path);
  }
  return svg;
}

/** Hands text to the user as a file. */
export function download(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = h('a', { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** A file name made from a title: letters, digits, dot, dash and underscore only. */
export function fileName(title: string, extension: string): string {
  const stem = title.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[-.]+|-+$/g, '').slice(0, 80);
  return `${stem || 'linkwork'}.${extension}`;
}
