// SPDX-License-Identifier: Apache-2.0
// The rungs as a multivariant playlist declares them: enough for everything that plays on them, content and ads.
import type { Rendition } from '../asset/asset.ts';
import type { Ladder, Rung } from './ladder.ts';

/** Ads are encoded at a rung's average bit rate; the peak of a segment may reach this multiple of it. */
export const AD_PEAK_FACTOR = 1.6;

/** avc1.PPCCLL: a decoder of a higher level and profile decodes lower ones (RFC 6381 §3.3, ISO/IEC 14496-10 A.3). */
const demands = (codecs: string): number => {
  const [, hex] = /^avc[13]\.([0-9a-f]{6})(?:,|$)/i.exec(codecs) ?? [];
  return hex === undefined ? 0 : Number.parseInt(hex.slice(4), 16) * 256 + Number.parseInt(hex.slice(0, 2), 16);
};

const mostDemanding = (codecs: readonly string[]): string =>
  codecs.reduce((most, one) => (demands(one) > demands(most) ? one : most));

const declare = (rung: Rung, renditions: readonly Played[]): Rung => ({
  ...rung,
  codecs: mostDemanding([rung.codecs, ...renditions.map(({ codecs }) => codecs)]),
  bandwidth: Math.ceil(
    Math.max(rung.bandwidth, rung.averageBandwidth * AD_PEAK_FACTOR, ...renditions.map(({ bandwidth }) => bandwidth)),
  ),
  averageBandwidth: Math.ceil(
    Math.max(rung.averageBandwidth, ...renditions.map(({ averageBandwidth }) => averageBandwidth)),
  ),
});

type Played = Pick<Rendition, 'codecs' | 'bandwidth' | 'averageBandwidth'>;

/** @param clips everything that the channel plays except ads: content and slate. `cells` are by rung */
export function declaredRungs(
  ladder: Ladder,
  clips: readonly { readonly cells: readonly { readonly rendition: Played }[] }[],
): Rung[] {
  return ladder.rungs.map((rung, index) => {
    const renditions = new Set(clips.flatMap(({ cells }) => cells[index]?.rendition ?? []));
    return declare(rung, [...renditions]);
  });
}
