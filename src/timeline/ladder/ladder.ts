// SPDX-License-Identifier: Apache-2.0
// A channel's ladder: the qualities and languages that it offers while it is on air. It is derived from the first usable
// asset and then fixed. Assets that do not fit it are excluded, with a reason.
import type { FrameRate } from '../../time/units.ts';
import type { Caption, Container, Rendition, TransportLayout } from '../asset/asset.ts';

export type RungKind = Rendition['kind'];

type OfRendition = 'bandwidth' | 'averageBandwidth' | 'width' | 'height' | 'sampleRate' | 'channels';
type Described = 'kind' | 'language' | 'name' | 'isDefault' | 'isForced' | 'characteristics';

export type Rung = Pick<Rendition, OfRendition | Described> & {
  /** Its name in URLs: v0, v1 … (video or muxed, largest first), a0, a1 …, t0, t1 … (text, after all others). */
  readonly id: string;
  /**
   * The codecs that ads and slate are encoded for; a muxed rung has both, video first. Text has `wvtt` or `stpp.…`, or is empty
   * for the WebVTT files of a live origin, which DASH does not list.
   */
  readonly codecs: string;
  /**
   * The video timescale of the first asset. Ads and slate use it if possible: some HLS clients, such as ffmpeg's, keep using
   * the timescale of the first initialization section that they read.
   */
  readonly timescale?: number;
  /** For MPEG-TS: the layout of the first asset, which ads and slate use too. */
  readonly transport?: TransportLayout;
};

export type Ladder = {
  readonly container: Exclude<Container, 'vtt'>;
  /** `separate`: video rungs and audio rungs; `muxed`: both in one rung. */
  readonly layout: 'separate' | 'muxed' | 'videoOnly' | 'audioOnly';
  readonly frameRate: FrameRate;
  readonly rungs: readonly Rung[];
  /** Closed captions embedded in the video; empty when there are none, absent when that is unknown. */
  readonly captions?: readonly Caption[];
  /** EXT-X-TARGETDURATION in seconds: no segment of the channel is ever longer when rounded (law 4). */
  readonly targetDuration: number;
};

/**
 * How far behind the live edge players play, in milliseconds: three target durations, the least that RFC 8216bis
 * §4.4.3.8 allows for HOLD-BACK. Both formats announce it (docs/laws.md, further rules), and beacons become due by it.
 */
export const holdBackMillis = ({ targetDuration }: Pick<Ladder, 'targetDuration'>): number => 3000 * targetDuration;

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

/**
 * The rungs as a multivariant playlist declares them: enough for everything that plays on them, content and ads.
 * @param clips everything that the channel plays except ads: content and slate. `cells` are by rung
 */
export function declaredRungs(
  ladder: Ladder,
  clips: readonly { readonly cells: readonly { readonly rendition: Played }[] }[],
): Rung[] {
  return ladder.rungs.map((rung, index) => {
    const renditions = new Set(clips.flatMap(({ cells }) => cells[index]?.rendition ?? []));
    return declare(rung, [...renditions]);
  });
}
