// Numbers for scales: round ones, and the largest sizes they are taken from.

/** 1, 2 or 5 times a power of ten, at least the given value. */
export function niceStep(least: number): number {
  const decade = 10 ** Math.floor(Math.log10(least));
  return ([1, 2, 5].find((m) => m * decade >= least * 0.999) ?? 10) * decade;
}

/** A nice number near the largest size: nearly, so that a lone spike does not shrink the others. 0 if there is none. */
export function niceTop(sizes: readonly number[]): number {
  const sorted = sizes.filter(Number.isFinite).sort((a, b) => a - b);
  const peak = sorted.length ? sorted[Math.floor(0.985 * (sorted.length - 1))] : 0;
  return peak > 0 ? niceStep(peak) : 0;
}

/** The largest size of a vector over the run. */
export function peakSize(x: Float64Array, y: Float64Array): number {
  let peak = 0;
  for (let i = 0; i < x.length; i++) {
    const size = Math.hypot(x[i], y[i]);
    if (size > peak && Number.isFinite(size)) peak = size;
  }
  return peak;
}
