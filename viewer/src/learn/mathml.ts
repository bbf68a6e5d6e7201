// Formulas as MathML elements: names with indices, numbers with their signs, sums.
import { significant } from '../format';

const kMathMl = 'http://www.w3.org/1998/Math/MathML';

export type Part = Element | string;

export function ml(tag: string, ...parts: Part[]): Element {
  const element = document.createElementNS(kMathMl, tag);
  element.append(...parts);
  return element;
}

export const mi = (name: string): Element => ml('mi', name);
export const mo = (sign: string): Element => ml('mo', sign);
export const mtext = (text: string): Element => ml('mtext', text);
/** A unit behind a number, with a thin space. */
export const unitOf = (unit: string): Element => mtext(`\u2009${unit}`);

/** F with a name and an axis below it. */
export function indexed(letter: string, ...below: string[]): Element {
  const marks = below.filter(Boolean).flatMap((text, i) => [...(i ? [mo(',')] : []), text.length > 1 ? mtext(text) : mi(text)]);
  return marks.length ? ml('msub', mi(letter), ml('mrow', ...marks)) : mi(letter);
}

/** A number; behind a sign of its own a negative one stands in brackets. */
export function mn(value: number, digits = 4): Element {
  const text = significant(value, digits);
  return text.startsWith('−') ? ml('mrow', mo('−'), ml('mn', text.slice(1))) : ml('mn', text);
}

export const bracketed = (value: number): Element => (value < 0 ? ml('mrow', mo('('), mn(value), mo(')')) : mn(value));

/** 3 + 4 − 5, with signs between them; 0 where there is nothing. */
export function sumOf(values: readonly number[]): Element {
  const parts: Element[] = [];
  values.forEach((value, i) => {
    if (i) parts.push(mo(value < 0 ? '−' : '+'), ml('mn', significant(Math.abs(value))));
    else parts.push(mn(value));
  });
  return ml('mrow', ...(parts.length ? parts : [ml('mn', '0')]));
}

/** Terms with plus signs between them. */
export const plus = (terms: readonly Element[]): Element => ml('mrow', ...(terms.length ? terms.flatMap((t, i) => (i ? [mo('+'), t] : [t])) : [ml('mn', '0')]));

/** One formula on a line of its own. */
export function formulaLine(...parts: Part[]): HTMLElement {
  const math = ml('math', ...parts), box = document.createElement('div');
  math.setAttribute('display', 'block');
  box.className = 'formula step';
  box.append(math);
  return box;
}
