// Reactions of the joints as arrows show them: the part that is unique, what is one of many that fit, and the words for both.
import type { Joint, Page, Place, Series } from './data';
import { vectorAt } from './data';
import { brief, withUnit } from './format';
import type { Vec3 } from './scene/space/vectors';
import { minus, norm } from './scene/space/vectors';

/** Uniqueness goes by series: the moment of a joint may be open while its force is not. */
export const allUnique = (parts: readonly { readonly unique: boolean }[]): boolean => parts.every((p) => p.unique);

/** Why there are dashes, after what has them. */
export const whyDashed = (page: Page): string => `one of many that fit${page.redundant ? `: ${page.redundant}` : ''}. The smallest is shown.`;

/** Series along x, y and z; null or missing where the plane has none. */
type Components = readonly (Series | null)[];

/** The force or the moment of a joint, ground axes. */
export class Reaction {
  /** Whether a part of it is not unique. */
  readonly open: boolean;
  private readonly sure_: Components;
  private readonly what_: string;
  private readonly unit_: string;
  /** Along which axes it is open, where along others it is not. */
  private readonly along_: string;

  /** `unique`: the part that is, where the data has it; else its components are unique or not, one by one. */
  constructor(private readonly page: Page, readonly joint: number, readonly moment: boolean, private readonly parts: Components, unique: readonly Series[] | null) {
    const known = parts.filter((s): s is Series => s !== null), axes = parts.flatMap((s, k) => (s && !s.unique ? ['xyz'[k]] : []));
    this.open = !allUnique(known);
    this.sure_ = this.open ? unique ?? parts.map((s) => (s?.unique ? s : null)) : parts;
    this.what_ = `${moment ? 'moment' : 'force'} in ${page.joints[joint].name}`;
    this.unit_ = known[0]?.unit ?? '';
    this.along_ = unique || axes.length === known.length ? '' : ` along ${axes.join(', ')}`;
  }

  /** All of it, the part that is unique, and what that leaves. */
  all(at: Place): Vec3 { return vectorAt(this.parts, at); }
  sure(at: Place): Vec3 { return vectorAt(this.sure_, at); }
  rest(at: Place): Vec3 { return minus(this.all(at), this.sure(at)); }

  /** What the solid arrow and the dashed one say. */
  sureNote(at: Place): string { return `${this.what_}${this.open ? ', the part that is unique' : ''}: ${this.sized(this.sure(at))}`; }
  restNote(at: Place): string { return `${this.what_}: ${this.sized(this.rest(at))}${this.along_}, ${whyDashed(this.page)}`; }

  private sized(v: Vec3): string { return withUnit(brief(norm(v), 3), this.unit_); }
}

/** In the plane a moment is about z. */
const momentOf = (joint: Joint): Components | null => joint.moment3 ?? (joint.moment && [null, null, joint.moment]);

/** Forces and moments of all joints that the data has them for. */
export function reactionsOf(page: Page): Reaction[] {
  return page.joints.flatMap((joint, index) => {
    const moment = momentOf(joint), out: Reaction[] = [];
    if (joint.force) out.push(new Reaction(page, index, false, joint.force, joint.uniqueForce));
    if (moment) out.push(new Reaction(page, index, true, moment, joint.uniqueMoment));
    return out;
  });
}
