// The text rungs of a ladder: which there are, and what an asset has for each. Text that an asset lacks is filled with
// text that says nothing, so no asset is ever left out for it.
import type { Asset, Rendition } from './asset.ts';
import type { Rung } from './ladder.ts';
import { servedText } from './servedText.ts';

/** More languages than a menu can hold. */
const MOST_RUNGS = 32;
/** Bits a second that are told of text: room for four lines a second. */
const BANDWIDTH = 4000;

type Described = Pick<Rendition | Rung, 'language' | 'isForced' | 'characteristics'>;

const languageOf = ({ language = 'und' }: Described): string => language.toLowerCase();
const isCaption = ({ characteristics = '' }: Described): boolean => characteristics.includes('public.accessibility.');
/** What a viewer chooses between. */
const choiceOf = (text: Described): string => `${languageOf(text)} ${text.isForced ?? false} ${isCaption(text)}`;

const textsOf = (asset: Asset): Rendition[] => asset.renditions.filter(({ kind }) => kind === 'text');

/** A rung for each language and purpose that some asset has, in the order in which they appear. */
export function textRungs(assets: readonly Asset[]): Rung[] {
  const chosen = new Map<string, Rendition>();
  for (const text of assets.flatMap(textsOf)) {
    if (!chosen.has(choiceOf(text))) chosen.set(choiceOf(text), text);
  }
  return [...chosen.values()].slice(0, MOST_RUNGS).map(({ language, name, isForced, characteristics }, index) => ({
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

const primary = (text: Described): string => languageOf(text).split('-')[0]!;

/** Where in the asset's renditions the text for a rung is; undefined when it has none. Forced text is never mixed up. */
function findText(asset: Asset, rung: Rung): number | undefined {
  const likenesses: readonly ((text: Rendition) => boolean)[] = [
    (text) => choiceOf(text) === choiceOf(rung),
    (text) => languageOf(text) === languageOf(rung),
    (text) => primary(text) === primary(rung) && isCaption(text) === isCaption(rung),
    (text) => primary(text) === primary(rung),
  ];
  for (const isAlike of likenesses) {
    const found = asset.renditions.findIndex(
      (text) => text.kind === 'text' && (text.isForced ?? false) === (rung.isForced ?? false) && isAlike(text),
    );
    if (found >= 0) return found;
  }
  return undefined;
}

/** What is shown of an asset in a text rung: its own text, or text that says nothing. */
export const textFor = (rung: Rung, asset: Asset, key: string): Rendition =>
  servedText(asset, findText(asset, rung), key);

/** Languages that an asset has text in and a ladder has no rung for. */
export function languagesLeftOut(asset: Asset, rungs: readonly Rung[]): string[] {
  const shown = new Set(rungs.map((rung) => (rung.kind === 'text' ? findText(asset, rung) : undefined)));
  const left = asset.renditions.flatMap((text, index) => (text.kind === 'text' && !shown.has(index) ? [text] : []));
  return [...new Set(left.map(({ language = 'und' }) => language))];
}
