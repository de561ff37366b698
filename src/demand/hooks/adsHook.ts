// SPDX-License-Identifier: Apache-2.0
// The hook after the responses of all steps, before ads are chosen: what it receives, and how its response drops, orders and adds ads.
import { shownCreative } from '../../ads/pod/chooseMediaFiles.ts';
import type { DroppedAd, ResolvedAd } from '../../ads/record/breakRecord.ts';
import { showOffer } from '../../ads/record/showAd.ts';
import { type Fields, isFields } from '../../channels/fieldsOf.ts';
import { isHttpUrl } from '../../channels/urlFaults.ts';
import { withoutUndefined } from '../../invariant.ts';
import { flicksToSeconds } from '../../time/units.ts';
import { type HouseVideo, houseAd } from '../house.ts';
import { type HookFacts, hookFacts, limited, quoted } from './hookAnswer.ts';

/** @property free seconds of the break that no ad fills yet */
export type AdsHookFacts = HookFacts & { readonly free: number };

/** Stands for the id of an ad source, for ads that a hook adds. */
export const HOOK_SOURCE = 'hook';

/** The first ads are described; the others stay where they are. */
const MAX_ADS = 100;
const MAX_ADDED = 10;
/** Of a text of an ad that is described. */
const MAX_CHARACTERS = 256;
/** Titles in a sentence. */
const MAX_TITLES = 20;
const MAX_DURATION = 3600;

const shortened = (text: string): string => text.slice(0, MAX_CHARACTERS);

/** Keys are valid for one call. */
const keyAt = (index: number): string => String(index + 1);
/** The keys by which `order` places the ads that are added. */
const addedKeyAt = (index: number): string => `add${index + 1}`;

/** As in a trace. */
function described({ ad, offer }: ResolvedAd, index: number) {
  const creative = shownCreative(ad);
  const duration = creative?.linear.duration;
  return {
    key: keyAt(index),
    adId: shortened(ad.id ?? ''),
    creativeId: creative?.id && shortened(creative.id),
    title: ad.adTitle && shortened(ad.adTitle),
    duration: duration && flicksToSeconds(duration),
    ...(offer && showOffer(offer)),
    language: offer?.traits.language,
  };
}

export function adsHookBody(facts: AdsHookFacts, ads: readonly ResolvedAd[]): string {
  const { session, break: adBreak } = hookFacts(facts);
  const body = { version: 1, type: 'ads', session, break: { ...adBreak, free: facts.free } };
  return JSON.stringify({ ...body, ads: ads.slice(0, MAX_ADS).map(described) });
}

type ChangedAds = {
  readonly ads: readonly ResolvedAd[];
  readonly dropped: readonly DroppedAd[];
  readonly changes: readonly string[];
  /** What was ignored, after the name of the hook. */
  readonly faults: readonly string[];
};

const titleOf = ({ ad }: ResolvedAd): string => quoted(ad.adTitle ?? ad.id ?? '');

const droppedAd = ({ ad, offer }: ResolvedAd): DroppedAd => ({
  id: ad.id ?? '',
  ...withoutUndefined({ title: ad.adTitle, offer }),
  skip: { code: 'HOOK_DROPPED', text: 'The hook of the channel (adsUrl) dropped it.' },
});

function readVideo(value: unknown): HouseVideo | undefined {
  if (!isFields(value)) return undefined;
  const { url, title, duration } = value;
  if (typeof url !== 'string' || !isHttpUrl(url)) return undefined;
  const isDuration = typeof duration === 'number' && duration > 0 && duration <= MAX_DURATION;
  return {
    url,
    title: typeof title === 'string' ? shortened(title) : 'House ad',
    ...(isDuration ? { duration } : {}),
  };
}

/** The ads that a list of keys names, each once, and what is wrong with the list. */
function named(keys: unknown, name: string, byKey: ReadonlyMap<string, ResolvedAd>) {
  if (keys === undefined || keys === null) return { ads: [], faults: [] };
  if (!Array.isArray(keys)) return { ads: [], faults: [`returned ${quoted(name)} that is not a list`] };
  const known = new Set(keys.flatMap((key) => (typeof key === 'string' ? (byKey.get(key) ?? []) : [])));
  const unknown = keys.filter((key) => typeof key !== 'string' || !byKey.has(key));
  const [first] = unknown;
  const example = typeof first === 'string' ? `, the first of which is ${quoted(first)}` : '';
  const faults = unknown.length === 0 ? [] : [`named ${unknown.length} unknown keys in ${quoted(name)}${example}`];
  return { ads: [...known], faults };
}

function added(videos: unknown, step: number) {
  if (videos === undefined || videos === null) return { ads: [], faults: [] };
  if (!Array.isArray(videos)) return { ads: [], faults: ['returned "add" that is not a list'] };
  const read = videos.slice(0, MAX_ADDED).map(readVideo);
  const wrong = read.filter((one) => one === undefined).length;
  return {
    ads: read.map((one) => one && houseAd(one, { source: HOOK_SOURCE, step })),
    faults: [
      ...(videos.length > MAX_ADDED ? [`added ${videos.length} videos; only the first ${MAX_ADDED} are used`] : []),
      ...(wrong > 0 ? [`added ${wrong} videos without an http or https URL`] : []),
    ],
  };
}

/** Alternatives of one waterfall stay together, because at most one of them is shown. */
const unitOf = ({ offer, fallback }: ResolvedAd): string | undefined =>
  fallback?.[0] && `${offer?.source} ${fallback[0].group}`;

/**
 * The named ads first, each as a step of its own before all others, so that neither price nor `sequence` changes their order. These
 * steps have negative numbers: the other ads keep theirs, in traces and reports, too.
 */
function ordered(ads: readonly ResolvedAd[], first: readonly ResolvedAd[]): readonly ResolvedAd[] {
  const units: ResolvedAd[][] = [];
  const moved = new Set<ResolvedAd>();
  for (const one of first) {
    if (moved.has(one)) continue;
    const unit = unitOf(one);
    const together = unit === undefined ? [one] : ads.filter((other) => unitOf(other) === unit);
    units.push(together);
    for (const other of together) moved.add(other);
  }
  const placed = units.flatMap((unit, index) =>
    unit.map((one) => ({
      ...one,
      ...withoutUndefined({ offer: one.offer && { ...one.offer, step: index - units.length } }),
    })),
  );
  return [...placed, ...ads.filter((one) => !moved.has(one))];
}

/**
 * Drops first, then adds, in a step after all others, then orders. What cannot be used costs only itself.
 * @param answer of any shape
 */
export function applyAdsAnswer(ads: readonly ResolvedAd[], { drop, order, add }: Fields): ChangedAds {
  const described = new Map(ads.slice(0, MAX_ADS).map((one, index) => [keyAt(index), one]));
  const dropped = named(drop, 'drop', described);
  const lost = new Set(dropped.ads);
  const lastStep = Math.max(0, ...ads.map(({ offer }) => offer?.step ?? 0));
  const more = added(add, lastStep + 1);
  const additions = more.ads.flatMap((one) => one ?? []);
  const places = more.ads.flatMap((one, index): [string, ResolvedAd][] => (one ? [[addedKeyAt(index), one]] : []));
  const first = named(order, 'order', new Map([...described, ...places]));
  const kept = [...ads.filter((one) => !lost.has(one)), ...additions];
  const leading = first.ads.filter((one) => !lost.has(one));
  return {
    ads: leading.length === 0 ? kept : ordered(kept, leading),
    dropped: dropped.ads.map(droppedAd),
    changes: limited([
      ...dropped.ads.map((one) => `Dropped ${titleOf(one)}.`),
      ...additions.map((one) => `Added ${titleOf(one)}.`),
      ...(leading.length === 0 ? [] : [`Put first: ${leading.slice(0, MAX_TITLES).map(titleOf).join(', ')}.`]),
    ]),
    faults: [...dropped.faults, ...more.faults, ...first.faults],
  };
}
