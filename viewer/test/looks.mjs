/** Window sizes in which pages are looked at: a desk, a small laptop, a phone. */
export const kSizes = [[1440, 900], [1024, 700], [390, 844]];
/** Colours move nothing: the dark is looked at in one size. */
export const kLooks = [...kSizes.map((size) => ({ size, theme: 'light' })), { size: kSizes[0], theme: 'dark' }];
