// SPDX-License-Identifier: Apache-2.0
// A host of creatives in HLS and DASH: media of Midroll's own conditioning, hence of exact length, served as if they
// were from an advertiser.
import { startServer } from '../../demo/listen.ts';
import { creativeAsset } from '../../src/ads/creative/conditionedAsset.ts';
import { FLICKS_PER_SECOND } from '../../src/time/units.ts';
import type { Asset, Rendition } from '../../src/timeline/asset/asset.ts';
import { type Conditioning, download, openConditioning, testLadder, testSource } from '../media/conditioning.ts';

export type CreativeHost = {
  readonly url: string;
  /** By path; other paths return 404. */
  readonly files: Map<string, string | Uint8Array>;
  /** The `access-control-allow-origin` header; `*` by default. */
  allowOrigin: string | undefined;
  /** The paths of all requests. */
  readonly requested: string[];
  close(): Promise<void>;
};

export async function startCreativeHost(): Promise<CreativeHost> {
  const { url, close } = await startServer((request, response) => {
    const path = new URL(request.url!, 'http://host').pathname;
    host.requested.push(path);
    const file = host.files.get(path);
    const headers = host.allowOrigin === undefined ? {} : { 'access-control-allow-origin': host.allowOrigin };
    response.writeHead(file === undefined ? 404 : 200, headers).end(file);
  });
  const host: CreativeHost = { url, files: new Map(), allowOrigin: '*', requested: [], close };
  return host;
}

const seconds = ({ timescale, tracks }: Rendition, index: number): number =>
  (tracks[0]!.borders[index + 1]! - tracks[0]!.borders[index]!) / timescale;

const mediaPlaylist = (rendition: Rendition): string => {
  const count = rendition.tracks[0]!.borders.length - 1;
  const lines = Array.from({ length: count }, (_, index) => `#EXTINF:${seconds(rendition, index)},\n${index}.m4s`);
  const head = ['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-TARGETDURATION:3', '#EXT-X-MAP:URI="init.mp4"'];
  return [...head, ...lines, '#EXT-X-ENDLIST', ''].join('\n');
};

const multivariant = (renditions: readonly Rendition[]): string => {
  const [audio] = renditions.filter(({ kind }) => kind === 'audio');
  const group = `#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="s",NAME="s",DEFAULT=YES,CHANNELS="${audio!.channels}",URI="${audio!.id}/list.m3u8"`;
  const variants = renditions
    .filter(({ kind }) => kind === 'video')
    .map(
      ({ id, codecs, bandwidth, averageBandwidth, width, height }) =>
        `#EXT-X-STREAM-INF:BANDWIDTH=${bandwidth},AVERAGE-BANDWIDTH=${averageBandwidth},CODECS="${codecs},${audio!.codecs}",RESOLUTION=${width}x${height},AUDIO="s"\n${id}/list.m3u8`,
    );
  return ['#EXTM3U', group, ...variants, ''].join('\n');
};

const representation = (rendition: Rendition, zero: number): string => {
  const { id, kind, codecs, bandwidth, width, height, frameRate, sampleRate, channels, timescale, tracks } = rendition;
  const { borders } = tracks[0]!;
  const line = [...borders.subarray(0, -1)].map((at, index) => `<S t="${at}" d="${borders[index + 1]! - at}"/>`);
  const shape =
    kind === 'audio'
      ? `audioSamplingRate="${sampleRate}"`
      : `width="${width}" height="${height}" frameRate="${frameRate!.n}/${frameRate!.d}"`;
  const layout =
    kind === 'audio'
      ? `<AudioChannelConfiguration schemeIdUri="urn:mpeg:dash:23003:3:audio_channel_configuration:2011" value="${channels}"/>`
      : '';
  return `<Representation id="${id}" codecs="${codecs}" bandwidth="${bandwidth}" ${shape}>${layout}<SegmentTemplate timescale="${timescale}" presentationTimeOffset="${zero * timescale}" startNumber="0" initialization="${id}/init.mp4" media="${id}/$Number$.m4s"><SegmentTimeline>${line.join('')}</SegmentTimeline></SegmentTemplate></Representation>`;
};

const mpd = ({ duration, parts, renditions }: Asset): string => {
  const zero = parts[0]!.zero / FLICKS_PER_SECOND;
  const sets = (['video', 'audio'] as const).map((kind) => {
    const own = renditions.filter((rendition) => rendition.kind === kind).map((one) => representation(one, zero));
    return `<AdaptationSet contentType="${kind}" mimeType="${kind}/mp4">${own.join('')}</AdaptationSet>`;
  });
  return `<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" profiles="urn:mpeg:dash:profile:isoff-live:2011" minBufferTime="PT2S" mediaPresentationDuration="PT${duration / FLICKS_PER_SECOND}S"><Period>${sets.join('')}</Period></MPD>`;
};

/** Serves a conditioned asset as `<name>/master.m3u8` and `<name>/manifest.mpd`. */
export async function publishCreative(
  { files }: CreativeHost,
  name: string,
  conditioning: Conditioning,
  asset: Asset,
): Promise<void> {
  for (const rendition of asset.renditions) {
    const [init, ...segments] = await download(conditioning, rendition);
    files.set(`/${name}/${rendition.id}/init.mp4`, init!);
    segments.forEach((segment, index) => void files.set(`/${name}/${rendition.id}/${index}.m4s`, segment));
    files.set(`/${name}/${rendition.id}/list.m3u8`, mediaPlaylist(rendition));
  }
  files.set(`/${name}/master.m3u8`, multivariant(asset.renditions));
  files.set(`/${name}/manifest.mpd`, mpd(asset));
}

/** A host that serves a conditioned creative as `spot`, and what conditioned it. @param name of its source */
export async function openSpot(name: string, seconds: number) {
  const ladder = testLadder({ n: 25, d: 1 }, 48_000);
  const conditioning = await openConditioning({ asIs: { httpsOnly: false } });
  const host = await startCreativeHost();
  await conditioning.make(name, ...testSource(seconds));
  const made = await conditioning.condition(name, ladder);
  if (made.state !== 'ready') throw new Error(JSON.stringify(made));
  await publishCreative(host, 'spot', conditioning, creativeAsset(made.media, ladder, made.media.frames, ''));
  const close = async () => {
    await host.close();
    await conditioning.close();
  };
  return { ladder, conditioning, host, made, close };
}
