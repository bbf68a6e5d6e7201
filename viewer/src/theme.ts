// Light and dark: follows the system until the user chooses, and hands the colours of style.css to the canvases.

const kStorageKey = 'linkwork-theme';
export type Theme = 'light' | 'dark';

export interface Palette {
  paper: string; ink: string; muted: string; grid: string; link: string; linkEdge: string; rail: string; accent: string; accentSoft: string;
  force: string; moment: string; spring: string; series: string[];
}

export class ThemeControl {
  private chosen_: Theme | null = null;
  private printing_ = false;
  private palette_!: Palette;
  private readonly system_ = matchMedia('(prefers-color-scheme: dark)');
  private readonly listeners_: (() => void)[] = [];

  constructor() {
    try {
      const stored = localStorage.getItem(kStorageKey);
      if (stored === 'light' || stored === 'dark') this.chosen_ = stored;
    } catch { /* storage may be closed to pages opened from disk */ }
    this.system_.addEventListener('change', () => this.apply());
    this.apply();
  }

  get theme(): Theme { return this.printing_ ? 'light' : this.chosen_ ?? (this.system_.matches ? 'dark' : 'light'); }
  get palette(): Palette { return this.palette_; }

  toggle(): void {
    this.chosen_ = this.theme === 'dark' ? 'light' : 'dark';
    try {
      localStorage.setItem(kStorageKey, this.chosen_);
    } catch { /* the choice then lasts as long as the page */ }
    this.apply();
  }

  /** Paper is light. */
  print(on: boolean): void {
    this.printing_ = on;
    this.apply();
  }

  listen(listener: () => void): void {
    this.listeners_.push(listener);
  }

  private apply(): void {
    document.documentElement.dataset.theme = this.theme;
    const style = getComputedStyle(document.documentElement);
    const colour = (name: string): string => style.getPropertyValue(`--${name}`).trim();
    this.palette_ = {
      paper: colour('paper'), ink: colour('ink'), muted: colour('muted'), grid: colour('grid'), link: colour('link'),
      linkEdge: colour('link-edge'), rail: colour('rail'), accent: colour('accent'), accentSoft: colour('accent-soft'),
      force: colour('force'), moment: colour('moment'), spring: colour('spring'),
      series: Array.from({ length: 8 }, (_, i) => colour(`series-${i + 1}`)),
    };
    for (const listener of this.listeners_) listener();
  }
}
