// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lawRuns } from '../../test/lawRuns.ts';
import { withoutUndefined } from '../invariant.ts';
import { arrange, type Placed } from './arrange.ts';

/**
 * Ads compete if they have a letter in common; those with a capital letter have a sequence. `<a` is for the first place, `a>` for the
 * last, `<a>` for one of both; a digit is a step.
 */
type Ad = Placed & { readonly name: string };
const slots = { '<': 'first', '>': 'last', '<>': 'edge' } as const;
const isSlot = (text: string): text is keyof typeof slots => Object.hasOwn(slots, text);
function adOf(name: string): Ad {
  const marks = name.replace(/[^<>]/g, '');
  const slot = isSlot(marks) ? slots[marks] : undefined;
  return {
    name,
    isInSequence: /[A-Z]/.test(name),
    step: Number(/\d/.exec(name)?.[0] ?? 0),
    ...withoutUndefined({ slot }),
  };
}
const adsOf = (names: readonly string[]): Ad[] => names.map(adOf);
const lettersOf = ({ name }: Ad): string[] => name.toLowerCase().match(/[a-z]/g) ?? [];
const competes = (a: Ad, b: Ad): boolean => lettersOf(a).some((letter) => lettersOf(b).includes(letter));
const order = (names: string): string | undefined =>
  arrange(adsOf(names.split(' ')), competes)
    ?.map(({ name }) => name)
    .join(' ');

const isInSlot = ({ slot, step }: Ad, at: number, ads: readonly Ad[]): boolean =>
  slot === undefined ||
  (at === ads.length - 1 && slot !== 'first') ||
  (at === 0 && slot !== 'last' && ads.every((other) => other.step >= step));
const isAllowed = (ads: readonly Ad[]): boolean =>
  ads.every((ad, at) => isInSlot(ad, at, ads) && (at === 0 || !competes(ad, ads[at - 1]!)));

/** Every order in which no ad but a bid for the first place moves in front of one with a sequence that it follows. */
function* orders(left: readonly Ad[], isFirst = true): Generator<readonly Ad[]> {
  if (left.length === 0) yield [];
  const last = left.findIndex(({ isInSequence }) => isInSequence);
  for (const [index, ad] of left.entries())
    if (last < 0 || index <= last || (isFirst && ad.slot !== undefined))
      for (const rest of orders(left.toSpliced(index, 1), false)) yield [ad, ...rest];
}

describe('arrange', () => {
  it.each([
    ['a b a c', 'a b a c'],
    ['a a b c', 'a b a c'],
    ['a b b', 'b a b'],
    ['a a', undefined],
    ['. . .', '. . .'],
    ['a a a b . .', 'a b a . a .'],
    ['ab a b c', 'ab c a b'],
    ['ab a b', undefined],
    ['ab c a b c', 'ab c a b c'],
    ['a A B', 'A B a'],
    ['A a b', 'A b a'],
    ['A A b', undefined],
    ['b A A', 'A b A'],
    ['a b <c', '<c a b'],
    ['a> b c', 'b c a>'],
    ['a <b> c', 'a c <b>'],
    ['a <b> c>', '<b> a c>'],
    ['<a> b <c>', '<a> b <c>'],
    ['a <b <c', undefined],
    ['a b> <c> <d>', undefined],
    ['<a', '<a'],
    ['a> A b', 'A b a>'],
    ['A <b', '<b A'],
    ['A <b1', undefined],
    ['a <b1', undefined],
    ['a <b1> c2', 'a c2 <b1>'],
  ])('the pod %s is shown as %s', (pod, expected) => {
    expect(order(pod)).toBe(expected);
  });

  it('finds an order if there is one', () => {
    const ads = fc
      .array(fc.constantFrom('a', 'b1', 'c', 'ab', 'bc', '.', 'A', 'B', '<a', '<b1', 'b>', '<c>'), { maxLength: 7 })
      .map(adsOf);
    fc.assert(
      fc.property(ads, (pod) => {
        const first = [...orders(pod)].find(isAllowed);
        expect(arrange(pod, competes)).toEqual(first);
      }),
      lawRuns(1000),
    );
  });

  it('gives up when the trials for all pods of a break are used', () => {
    const pod = adsOf('ab ab ab bc bc bc ca ca ca d e f a b c'.split(' '));
    let compared = 0;
    const trials = { left: 5_000 };
    for (let round = 0; round < 1_000; round += 1)
      arrange(
        pod,
        (a, b) => {
          compared += 1;
          return competes(a, b);
        },
        trials,
      );
    expect(trials.left).toBeLessThanOrEqual(0);
    expect(compared).toBeLessThan(20 * pod.length ** 2);
  });

  it('arranges twenty ads', () => {
    const pod = adsOf('a a a a a a a a a a b b b b c c c d d d'.split(' '));
    expect(isAllowed(arrange(pod, competes)!)).toBe(true);
    expect(arrange([...pod, ...adsOf(['a', 'a'])], competes)).toBeUndefined();
    const many = adsOf(Array.from({ length: 20 }, (_, index) => 'abcdefgh'.slice(index % 7, (index % 7) + 2)));
    expect(isAllowed(arrange(many, competes)!)).toBe(true);
  });
});
