// Writes numbers for people: few significant digits on screen, all of them where asked for.

const kSuperscript: Record<string, string> = { '-': '⁻', '0': '⁰', '1': '¹', '2': '²', '3': '³', '4': '⁴', '5': '⁵', '6': '⁶', '7': '⁷', '8': '⁸', '9': '⁹' };
export const kNoValue = '–';

export function superscript(n: number): string {
  return String(n).replace(/./g, (c) => kSuperscript[c] ?? c);
}

function realMinus(text: string): string {
  return text.replace('-', '−');
}

/** A value with `digits` significant digits: 0.1235, −12.35, 1.235×10⁻¹³. */
export function significant(value: number, digits = 4): string {
  if (Number.isNaN(value)) return kNoValue;
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e-3 && size < 1e6) {
    return realMinus(size >= 10 ** (digits - 1) ? value.toFixed(0) : value.toPrecision(digits));
  }
  const [mantissa, exponent] = value.toExponential(digits - 1).split('e');
  return `${realMinus(mantissa)}×10${superscript(Number(exponent))}`;
}

/** As `significant`, but a whole number stays whole and zeros at the end are left out. */
export function brief(value: number, digits = 3): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e6) return realMinus(String(value));
  return significant(value, digits).replace(/\.0+(?=×|$)|(\.\d*?[1-9])0+(?=×|$)/, '$1');
}

/** As `significant`, but what is rounding beside `scale` is zero. */
export function beside(value: number, scale: number, digits = 4): string {
  return Math.abs(value) <= 1e-13 * scale ? '0' : significant(value, digits);
}

/** All digits: the shortest decimal that reads back as the same number. */
export function allDigits(value: number): string {
  return Number.isNaN(value) ? 'not a number' : String(value);
}

/** Decimals so that a run of this length shows about `parts` distinct times. */
export function timeDecimals(span: number, parts = 2e4): number {
  if (!(span > 0)) return 3;
  return Math.min(12, Math.max(0, Math.ceil(-Math.log10(span / parts) - 0.31)));
}

export function withUnit(text: string, unit: string): string {
  return unit ? `${text} ${prettyUnit(unit)}` : text;
}

/** m/s^2 as m/s², N*m as N·m. */
export function prettyUnit(unit: string): string {
  return unit.replace(/\^(-?\d+)/g, (_, n: string) => superscript(Number(n))).replace(/\*/g, '·');
}

/** A text of the program with numbers and units, set as the rest of the page: 6.4e-15 m/s^2 as 6.4×10⁻¹⁵ m/s². */
export function typeset(text: string): string {
  return text.replace(/(?<![\w.])(-?\d+(?:\.\d+)?)e([+-]\d+)\b/g, (_, m: string, e: string) => (Number(e) === 0 ? realMinus(m) : `${realMinus(m)}×10${superscript(Number(e))}`))
    .replace(/\b(m|s|kg|N|rad|J|W)\^(-?\d)\b/g, (_, u: string, n: string) => u + superscript(Number(n))).replace(/\b(N|kg)\*(?=m|s)/g, '$1·');
}

/** The power of ten, a multiple of three, by which the labels of an axis of this size are divided. */
export function axisExponent(size: number): number {
  if (!(size > 0) || !Number.isFinite(size) || (size >= 1e-2 && size < 1e5)) return 0;
  return 3 * Math.floor(Math.log10(size) / 3);
}

/** Labels of evenly spaced ticks, all with the same number of decimals. */
export function tickLabels(ticks: readonly number[], increment: number, exponent: number): string[] {
  const unit = 10 ** exponent;
  const step = increment / unit;
  let decimals = 0;
  while (decimals < 12 && Math.abs(step * 10 ** decimals - Math.round(step * 10 ** decimals)) > 1e-6 * step * 10 ** decimals) decimals++;
  return ticks.map((t) => {
    const value = t / unit;
    return realMinus((Math.abs(value) < step * 1e-6 ? 0 : value).toFixed(decimals));
  });
}
