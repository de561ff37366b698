// SPDX-License-Identifier: Apache-2.0
// Subtitles, audio languages and captions of a film continue across breaks, and across an item that has none of them.
import { copyFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { readWebvtt } from '../../../src/subtitles/webvtt.ts';
import { readHls } from '../../laws/readBack.ts';
import { adSource, item, type Stage } from '../../live/stage.ts';
import { airVod, lengthOf, openVod, readVod, seenPeriods, seenPlaylist } from '../watchVod.ts';

const SECONDS = 8;
const AD = 4;

/** A film in two languages, with captions and one subtitle cue per second. */
async function makeFilm(stage: Stage): Promise<string> {
  const video = new URL(await stage.video({ seconds: SECONDS, isReordered: true }));
  const folder = join(stage.origin.folder, dirname(video.pathname));
  const cue = (second: number) => `00:0${second}.100 --> 00:0${second}.900\nsecond ${second}\n`;
  const cues = Array.from({ length: SECONDS }, (_, second) => cue(second));
  await writeFile(
    join(folder, 'all.vtt'),
    ['WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000\n', ...cues].join('\n'),
  );
  const list = ['#EXTM3U', `#EXT-X-TARGETDURATION:${SECONDS}`, `#EXTINF:${SECONDS},`, 'all.vtt', '#EXT-X-ENDLIST', ''];
  await writeFile(join(folder, 'text.m3u8'), list.join('\n'));
  const master = await (await fetch(video)).text();
  const audio = /^#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="([^"]+)".*URI="([^"]+)"$/m.exec(master)!;
  await copyFile(join(folder, audio[2]!), join(folder, 'french.m3u8'));
  const sound = `#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="${audio[1]}",AUTOSELECT=YES`;
  const more = [
    `${sound},NAME="English",LANGUAGE="en",DEFAULT=YES,URI="${audio[2]}"`,
    `${sound},NAME="Français",LANGUAGE="fr",DEFAULT=NO,URI="french.m3u8"`,
    '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="English",LANGUAGE="en",URI="text.m3u8"',
    '#EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID="c",NAME="Captions",LANGUAGE="en",INSTREAM-ID="CC1"',
  ];
  const text = master
    .replace(audio[0], more.join('\n'))
    .replace(/(#EXT-X-STREAM-INF:[^\n]*)/g, '$1,SUBTITLES="s",CLOSED-CAPTIONS="c"');
  await writeFile(join(folder, 'tracks.m3u8'), text);
  return new URL('tracks.m3u8', video).href;
}

export async function tracksContinue(stage: Stage): Promise<void> {
  const [film, plain, spot] = await Promise.all([makeFilm(stage), stage.video({ seconds: 6 }), stage.spot(AD)]);
  stage.adHost.offer('/tracks', () => [{ id: 'four', seconds: AD, url: spot }]);
  const cuePoints = [{ spliceTime: 0 }, { spliceTime: 4 }, { spliceTime: -1 }];
  await airVod(stage, 'tracks', [{ ...item(film), cuePoints }, item(plain)], {
    adSource: adSource(stage.adHost, '/tracks'),
  });
  const view = await openVod(stage, 'tracks');
  expect(view).toMatchObject({ contentDurationSeconds: 14, durationSeconds: 14 + 3 * AD });
  const manifests = await readVod(stage.midroll, 'tracks', view.sessionId);
  const { multivariant, playlists } = manifests;
  expect(multivariant).toMatch(/TYPE=AUDIO.*LANGUAGE="en".*a0\.m3u8/);
  expect(multivariant).toMatch(/TYPE=AUDIO.*LANGUAGE="fr".*a1\.m3u8/);
  expect(multivariant).toMatch(/TYPE=SUBTITLES.*LANGUAGE="en".*t0\.m3u8/);
  expect(multivariant).toMatch(/TYPE=CLOSED-CAPTIONS.*INSTREAM-ID="CC1"/);

  // Every span has every rung, in HLS and in DASH.
  const borders = seenPlaylist(manifests).segments.map(({ discontinuity }) => discontinuity);
  for (const [rung, text] of Object.entries(playlists)) {
    const seen = readHls(text);
    expect([rung, Math.round(lengthOf(seen))]).toEqual([rung, view.durationSeconds]);
    expect(new Set(seen.segments.map(({ discontinuity }) => discontinuity))).toEqual(new Set(borders));
  }
  for (const { id, urls } of seenPeriods(manifests)) {
    expect([id, Object.keys(urls).sort()]).toEqual([id, ['a0', 'a1', 't0', 'v0']]);
  }

  // Cues are shown in the film alone, at their times.
  const shown: string[] = [];
  let at = 0;
  for (const { uri, duration } of readHls(playlists.t0!).segments) {
    const response = await fetch(new URL(uri, `${stage.midroll.liveUrl}/hls/tracks/${view.sessionId}/`));
    expect([uri, response.status]).toEqual([uri, 200]);
    const { cues } = readWebvtt(await response.text())!;
    for (const { text } of cues) shown.push(`${text} in ${at / 1e6}`);
    at += duration;
  }
  // The first half follows the first ad, the second half another one.
  expect([...new Set(shown)]).toEqual(
    Array.from({ length: SECONDS }, (_, second) => {
      const segment = 2 * Math.floor(second / 2);
      return `second ${second} in ${segment + AD + (segment >= 4 ? AD : 0)}`;
    }),
  );
}
