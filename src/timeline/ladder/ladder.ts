// SPDX-License-Identifier: Apache-2.0
// A channel's ladder: the qualities and languages that it offers while it is on air. It is derived from the first usable
// asset and then fixed. Assets that do not fit it are excluded, with a reason.
import type { FrameRate } from '../../time/units.ts';
import type { Caption, Container, Rendition, TransportLayout } from '../asset/asset.ts';

export type RungKind = Rendition['kind'];

/** `id`: its name in URLs: v0, v1 … (video or muxed, largest first), a0, a1 …, t0, t1 … (text, after all others). */
export type Rung = Pick<Rendition, 'id' | 'kind' | 'bandwidth' | 'averageBandwidth' | 'width' | 'height'> &
  Pick<Rendition, 'sampleRate' | 'channels' | 'language' | 'name' | 'isDefault' | 'isForced' | 'characteristics'> & {
    /** What ads and slate are encoded for; muxed: video first. Text: `wvtt`, `stpp.…`, or empty for WebVTT files of an origin. */
    readonly codecs: string;
    /** Of the first video. Ads and slate use it if possible: ffmpeg keeps the timescale of its first initialization section. */
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

/** Three target durations, the least of RFC 8216bis §4.4.3.8. Both formats announce it, and beacons become due by it. */
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

/** As declared: enough for all that plays on them. @param clips content and slate, not ads; `cells` are by rung */
export function declaredRungs(
  ladder: Ladder,
  clips: readonly { readonly cells: readonly { readonly rendition: Played }[] }[],
): Rung[] {
  return ladder.rungs.map((rung, index) => {
    const renditions = new Set(clips.flatMap(({ cells }) => cells[index]?.rendition ?? []));
    return declare(rung, [...renditions]);
  });
}
