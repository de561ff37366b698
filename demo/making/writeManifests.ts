// SPDX-License-Identifier: Apache-2.0
// Writes the manifests of a video: HLS (RFC 8216) and DASH (ISO/IEC 23009-1), both for the same tracks.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CutTrack } from './cutVideo.ts';
import { rate } from './encode.ts';

const lengths = ({ borders }: CutTrack): number[] => borders.slice(1).map((border, index) => border - borders[index]!);
const seconds = (track: CutTrack): number => (track.borders.at(-1)! - track.borders[0]!) / track.timescale;
const average = (track: CutTrack): number =>
  Math.ceil((8 * track.sizes.reduce((sum, size) => sum + size, 0)) / seconds(track));
const peak = (track: CutTrack): number =>
  Math.ceil(Math.max(...lengths(track).map((length, index) => (8 * track.sizes[index]! * track.timescale) / length)));

function mediaPlaylist(track: CutTrack): string {
  const durations = lengths(track).map((length) => length / track.timescale);
  return [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${Math.max(...durations.map(Math.round))}`,
    '#EXT-X-PLAYLIST-TYPE:VOD',
    '#EXT-X-INDEPENDENT-SEGMENTS',
    `#EXT-X-MAP:URI="${track.id}/init.mp4"`,
    ...durations.flatMap((duration, index) => [`#EXTINF:${duration.toFixed(6)},`, `${track.id}/${index + 1}.m4s`]),
    '#EXT-X-ENDLIST',
    '',
  ].join('\n');
}

function multivariantPlaylist(videos: readonly CutTrack[], audio: CutTrack): string {
  return [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    '#EXT-X-INDEPENDENT-SEGMENTS',
    `#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="Music",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",URI="${audio.id}.m3u8"`,
    ...videos.flatMap((video) => [
      `#EXT-X-STREAM-INF:BANDWIDTH=${peak(video) + peak(audio)},AVERAGE-BANDWIDTH=${average(video) + average(audio)},` +
        `CODECS="${video.codecs},${audio.codecs}",RESOLUTION=${video.width}x${video.height},` +
        `FRAME-RATE=${(rate.n / rate.d).toFixed(3)},AUDIO="audio"`,
      `${video.id}.m3u8`,
    ]),
    '',
  ].join('\n');
}

/** Consecutive segments of the same length as one S element with a repeat count (5.3.9.6). */
function segmentTimeline(track: CutTrack): string {
  const runs: { length: number; count: number }[] = [];
  for (const length of lengths(track)) {
    const last = runs.at(-1);
    if (last?.length === length) last.count += 1;
    else runs.push({ length, count: 1 });
  }
  const elements = runs.map(
    ({ length, count }, index) =>
      `<S${index === 0 ? ' t="0"' : ''} d="${length}"${count > 1 ? ` r="${count - 1}"` : ''}/>`,
  );
  return `<SegmentTimeline>${elements.join('')}</SegmentTimeline>`;
}

const template = (track: CutTrack): string =>
  `<SegmentTemplate timescale="${track.timescale}" startNumber="1" initialization="$RepresentationID$/init.mp4" ` +
  `media="$RepresentationID$/$Number$.m4s">${segmentTimeline(track)}</SegmentTemplate>`;

function mpd(videos: readonly CutTrack[], audio: CutTrack): string {
  const duration = seconds(videos[0]!);
  return `<?xml version="1.0" encoding="UTF-8"?>
<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" profiles="urn:mpeg:dash:profile:isoff-live:2011" minBufferTime="PT2S" mediaPresentationDuration="PT${duration}S">
  <Period id="1" start="PT0S">
    <AdaptationSet id="1" contentType="video" mimeType="video/mp4" segmentAlignment="true" startWithSAP="1" frameRate="${rate.n}/${rate.d}" par="16:9">
      ${template(videos[0]!)}
${videos
  .map(
    (video) =>
      `      <Representation id="${video.id}" codecs="${video.codecs}" bandwidth="${peak(video)}" width="${video.width}" height="${video.height}" sar="1:1"/>`,
  )
  .join('\n')}
    </AdaptationSet>
    <AdaptationSet id="2" contentType="audio" mimeType="audio/mp4" lang="en" segmentAlignment="true" startWithSAP="1">
      ${template(audio)}
      <Representation id="${audio.id}" codecs="${audio.codecs}" bandwidth="${peak(audio)}" audioSamplingRate="${audio.timescale}">
        <AudioChannelConfiguration schemeIdUri="urn:mpeg:dash:23003:3:audio_channel_configuration:2011" value="2"/>
      </Representation>
    </AdaptationSet>
  </Period>
</MPD>
`;
}

/** Writes `master.m3u8`, a media playlist for each track and `manifest.mpd` into the folder of the video. */
export async function writeManifests(tracks: readonly CutTrack[], folder: string): Promise<void> {
  const videos = tracks.filter(({ kind }) => kind === 'video');
  const audio = tracks.find(({ kind }) => kind === 'audio')!;
  await writeFile(join(folder, 'master.m3u8'), multivariantPlaylist(videos, audio));
  for (const track of tracks) await writeFile(join(folder, `${track.id}.m3u8`), mediaPlaylist(track));
  await writeFile(join(folder, 'manifest.mpd'), mpd(videos, audio));
}
