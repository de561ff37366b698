// SPDX-License-Identifier: Apache-2.0
// The text rungs of a ladder, and an asset's text for each of them. Missing text is replaced by empty text, so no asset is
// excluded because of it.
import type { Asset, Rendition } from '../asset/asset.ts';
import type { Rung } from './ladder.ts';
import { servedText } from './servedText.ts';

/** More than a player's menu can show. */
const MAX_TEXT_RUNGS = 32;
/** The declared bits per second of text, enough for four lines a second. */
const BANDWIDTH = 4000;

type Described = Pick<Rendition | Rung, 'language' | 'isForced' | 'characteristics'>;

const languageOf = ({ language = 'und' }: Described): string => language.toLowerCase();
const isCaption = ({ characteristics = '' }: Described): boolean => characteristics.includes('public.accessibility.');
/** Texts with different values are different choices for a viewer. */
const choiceOf = (text: Described): string => `${languageOf(text)} ${text.isForced ?? false} ${isCaption(text)}`;

const textsOf = (asset: Asset): Rendition[] => asset.renditions.filter(({ kind }) => kind === 'text');

/** A rung for each language and purpose in the assets, in the order in which they appear. */
export function textRungs(assets: readonly Asset[]): Rung[] {
  const chosen = new Map<string, Rendition>();
  for (const text of assets.flatMap(textsOf)) {
    if (!chosen.has(choiceOf(text))) chosen.set(choiceOf(text), text);
  }
  return [...chosen.values()].slice(0, MAX_TEXT_RUNGS).map(({ language, name, isForced, characteristics }, index) => ({
    id: `t${index}`,
    kind: 'text',
    codecs: 'wvtt',
    bandwidth: BANDWIDTH,
    averageBandwidth: BANDWIDTH,
    ...(language === undefined ? {} : { language }),
    ...(name === undefined ? {} : { name }),
    ...(isForced ? { isForced } : {}),
    ...(characteristics === undefined ? {} : { characteristics }),
  }));
}

const primary = (text: Described): string => languageOf(text).replace(/-.*/s, '');

/** The index of the best text for a rung; undefined when there is none. Forced text matches only forced text. */
function findText(asset: Asset, rung: Rung): number | undefined {
  const matchers: readonly ((text: Rendition) => boolean)[] = [
    (text) => choiceOf(text) === choiceOf(rung),
    (text) => languageOf(text) === languageOf(rung),
    (text) => primary(text) === primary(rung) && isCaption(text) === isCaption(rung),
    (text) => primary(text) === primary(rung),
  ];
  for (const matches of matchers) {
    const found = asset.renditions.findIndex(
      (text) => text.kind === 'text' && (text.isForced ?? false) === (rung.isForced ?? false) && matches(text),
    );
    if (found >= 0) return found;
  }
  return undefined;
}

/** The text of an asset in a text rung: its own text, or empty text. */
export const textFor = (rung: Rung, asset: Asset, key: string): Rendition =>
  servedText(asset, findText(asset, rung), key);

/** Languages of an asset's text for which a ladder has no rung. */
export function languagesWithoutRung(asset: Asset, rungs: readonly Rung[]): string[] {
  const shown = new Set(rungs.map((rung) => (rung.kind === 'text' ? findText(asset, rung) : undefined)));
  const unused = asset.renditions.flatMap((text, index) => (text.kind === 'text' && !shown.has(index) ? [text] : []));
  return [...new Set(unused.map(({ language = 'und' }) => language))];
}
