// SPDX-License-Identifier: Apache-2.0
// Finds the rungs of a feed in a Period. Ids may change with every Period, so a rung without a Representation of its key gets
// the nearest one.
import type { LivePeriod, LiveRepresentation } from '../../../dash/read/live/liveMpd.ts';
import type { RungSource } from '../../../live/feed.ts';
import { hasVideo } from '../../../timeline/asset/renditionKind.ts';

/** What identifies a rung in a Period. */
export type RungShape = Pick<RungSource, 'key' | 'kind' | 'container' | 'language' | 'roles' | 'height'> & {
  readonly codecs?: string;
  readonly bandwidth?: number;
};

export type RungsOfPeriod =
  /** By rung; undefined for text that the Period does not have. */
  | { readonly representations: readonly (LiveRepresentation | undefined)[]; readonly warnings: readonly string[] }
  | { readonly missing: string };

const family = (codecs: string | undefined): string => codecs?.split(/[.,]/)[0]?.toLowerCase() ?? '';

/** Lower is nearer; the first difference decides. */
function distance(rung: RungShape, one: LiveRepresentation): number[] {
  const [x, y] = rung.height && one.height ? [rung.height, one.height] : [rung.bandwidth ?? 0, one.bandwidth ?? 0];
  const roles = (of: { readonly roles?: readonly string[] }): string => [...(of.roles ?? [])].sort().join();
  return [
    Number((rung.language ?? 'und') !== (one.language ?? 'und')),
    Number(family(rung.codecs) !== family(one.codecs)),
    Number(roles(rung) !== roles(one)),
    Math.abs(Math.log((x || 1) / (y || 1))),
    Math.abs(Math.log((rung.bandwidth || 1) / (one.bandwidth || 1))),
  ];
}

function isNearer(one: readonly number[], other: readonly number[]): boolean {
  const index = one.findIndex((value, at) => value !== other[at]);
  return index >= 0 && one[index]! < other[index]!;
}

export function rungsOfPeriod(rungs: readonly RungShape[], { representations, where }: LivePeriod): RungsOfPeriod {
  const warnings: string[] = [];
  const found: (LiveRepresentation | undefined)[] = [];
  for (const rung of rungs) {
    const fitting = representations.filter(
      ({ kind, container }) =>
        (kind === rung.kind || (hasVideo(kind) && hasVideo(rung.kind))) && container === rung.container,
    );
    const own = fitting.find(({ key }) => key === rung.key);
    // An id may name another language or codec in another Period.
    if (
      own !== undefined &&
      distance(rung, own)
        .slice(0, 2)
        .every((difference) => difference === 0)
    ) {
      found.push(own);
      continue;
    }
    const sameLanguage = fitting.filter(({ language }) => rung.kind !== 'text' || language === rung.language);
    const [first, ...others] = sameLanguage.map((one) => ({ one, far: distance(rung, one) }));
    if (first === undefined && rung.kind === 'text') {
      warnings.push(`${where} has no ${nameOf(rung)}; these subtitles are empty in it`);
      found.push(undefined);
      continue;
    }
    if (first === undefined) return { missing: `${where} has no ${nameOf(rung)}; it is left out` };
    const { one } = others.reduce((best, each) => (isNearer(each.far, best.far) ? each : best), first);
    if (one !== own) warnings.push(`${where} has no Representation "${rung.key}"; "${one.key}" is used in its place`);
    found.push(one);
  }
  return { representations: found, warnings };
}

const nameOf = ({ kind, language }: RungShape): string =>
  kind === 'video' || kind === 'muxed'
    ? 'video'
    : `${kind}${language === undefined ? '' : ` in language "${language}"`}`;
