// Reads what may be anything: each function takes a value out of parsed JSON and gives back something of its type.

export type Json = Record<string, unknown>;

export const isObject = (v: unknown): v is Json => typeof v === 'object' && v !== null && !Array.isArray(v);
export const asObject = (v: unknown): Json => (isObject(v) ? v : {});
export const asList = (v: unknown): unknown[] => (Array.isArray(v) ? v : []);
export const asObjects = (v: unknown): Json[] => asList(v).filter(isObject);
export const asText = (v: unknown, fallback = ''): string => (typeof v === 'string' ? v : typeof v === 'number' ? String(v) : fallback);
export const asNumber = (v: unknown, fallback = NaN): number => (typeof v === 'number' ? v : fallback);
export const asPoint = (v: unknown): [number, number] | null =>
  Array.isArray(v) && v.length >= 2 && Number.isFinite(v[0]) && Number.isFinite(v[1]) ? [v[0] as number, v[1] as number] : null;
/** The bytes of base64 text, as many as make whole items of `size`; null where the text is no base64. */
export function asBytes(text: string, size: number): ArrayBuffer | null {
  let binary: string;
  try {
    binary = atob(text);
  } catch {
    return null;
  }
  const bytes = new Uint8Array(binary.length - (binary.length % size));
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes.buffer;
}
export const asPairs = (v: unknown): [string, string][] => asList(v).map((row) => [asText(asList(row)[0]), asText(asList(row)[1])]);
export const oneOf = <T extends string>(v: unknown, words: readonly T[], fallback: T): T => (words.includes(v as T) ? (v as T) : fallback);
