// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lawRuns } from '../../test/lawRuns.ts';
import { arrange } from './arrange.ts';

/** Ads compete if they have a letter in common; those with a capital letter have a sequence. */
type Ad = { readonly name: string; readonly isInSequence: boolean };
const adsOf = (names: readonly string[]): Ad[] =>
  names.map((name) => ({ name: name.toLowerCase(), isInSequence: name !== name.toLowerCase() }));
const competes = (a: Ad, b: Ad): boolean => [...a.name].some((letter) => letter !== '.' && b.name.includes(letter));
const order = (names: string): string | undefined =>
  arrange(adsOf(names.split(' ')), competes)
    ?.map(({ name, isInSequence }) => (isInSequence ? name.toUpperCase() : name))
    .join(' ');

const isAllowed = (ads: readonly Ad[]): boolean => ads.every((ad, at) => at === 0 || !competes(ad, ads[at - 1]!));

/** Every order in which no ad moves in front of one with a sequence that it follows. */
function* orders(left: readonly Ad[]): Generator<readonly Ad[]> {
  if (left.length === 0) yield [];
  const last = left.findIndex(({ isInSequence }) => isInSequence);
  for (const [index, ad] of left.entries())
    if (last < 0 || index <= last) for (const rest of orders(left.toSpliced(index, 1))) yield [ad, ...rest];
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
  ])('the pod %s is shown as %s', (pod, expected) => {
    expect(order(pod)).toBe(expected);
  });

  it('finds an order if there is one', () => {
    const ads = fc.array(fc.constantFrom('a', 'b', 'c', 'ab', 'bc', '.', 'A', 'B'), { maxLength: 7 }).map(adsOf);
    fc.assert(
      fc.property(ads, (pod) => {
        const first = [...orders(pod)].find(isAllowed);
        expect(arrange(pod, competes)).toEqual(first);
      }),
      lawRuns(1000),
    );
  });

  it('arranges twenty ads', () => {
    const pod = adsOf('a a a a a a a a a a b b b b c c c d d d'.split(' '));
    expect(isAllowed(arrange(pod, competes)!)).toBe(true);
    expect(arrange([...pod, ...adsOf(['a', 'a'])], competes)).toBeUndefined();
    const many = adsOf(Array.from({ length: 20 }, (_, index) => 'abcdefgh'.slice(index % 7, (index % 7) + 2)));
    expect(isAllowed(arrange(many, competes)!)).toBe(true);
  });
});
