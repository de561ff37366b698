// SPDX-License-Identifier: Apache-2.0
// Encryption that only players can decrypt (SAMPLE-AES, Common Encryption): it is declared for content, and never for ads or slate.
// The media of these tests are clear, so that ffmpeg decodes them.
import { expect } from 'vitest';
import { isOurs } from '../../laws/readBack.ts';
import { airLive, offerSpots, segmentsOf, startOrigin } from '../liveStage.ts';
import type { Stage } from '../stage.ts';

const breaks = { every: 40, seconds: 12, first: 30 };
const KEYS = [
  '#EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://key",KEYFORMAT="com.apple.streamingkeydelivery",KEYFORMATVERSIONS="1"',
  '#EXT-X-KEY:METHOD=SAMPLE-AES,URI="data:text/plain;base64,AAAA",KEYFORMAT="urn:uuid:edef8ba9-79d6-4ace-a3c8-27dcd51d21ed"',
];

/** Two keys before the initialization section; a viewer watches until content has followed ads. */
export async function playSampleAes(stage: Stage): Promise<void> {
  const origin = await startOrigin(stage, { hlsMarkers: 'cue', breaks, window: 8 });
  const withKeys = (text: string): string => text.replace('#EXT-X-MAP', `${KEYS.join('\n')}\n#EXT-X-MAP`);
  origin.fail(({ kind }) => (kind === 'media' ? { does: 'rewrite', rewrite: withKeys } : undefined));
  await airLive(stage, 'sample-aes', { sourceManifestUrl: origin.hlsUrl });
  await offerSpots(stage, 'sample-aes');
  const viewer = await stage.watch('sample-aes', { dash: false });
  const owners = (): string =>
    segmentsOf(viewer, 'v0')
      .map(({ uri }) => (isOurs(uri) ? 'a' : 'c'))
      .join('');
  await viewer.until('content has followed ads', () => /ca+c{3}/.test(owners()));
  await viewer.leave();
  expect(viewer.faults).toEqual([]);
  for (const rung of viewer.rungs) {
    for (const { uri, keys, mapKeys } of segmentsOf(viewer, rung)) {
      const expected = isOurs(uri) ? '' : KEYS.join('\n');
      expect([rung, uri, keys, mapKeys]).toEqual([rung, uri, expected, expected]);
    }
  }
}

const protectionOf = (stretch: number): string =>
  '<ContentProtection schemeIdUri="urn:mpeg:dash:mp4protection:2011" value="cenc" ' +
  `cenc:default_KID="00000000-0000-0000-0000-00000000000${stretch}"/>` +
  '<ContentProtection schemeIdUri="urn:uuid:edef8ba9-79d6-4ace-a3c8-27dcd51d21ed">' +
  `<cenc:pssh>AAA${stretch}</cenc:pssh></ContentProtection>`;

/** Each Period of the origin has a key of its own. */
export async function playCommonEncryption(stage: Stage): Promise<void> {
  const setup = { dashMarkers: 'xml', breaks, window: 8, loops: 'discontinuity' } as const;
  const origin = await startOrigin(stage, { ...setup, protection: protectionOf(0) });
  const ofPeriods = (text: string): string =>
    text
      .replace('<MPD ', '<MPD xmlns:cenc="urn:mpeg:cenc:2013" ')
      .replace(/<Period id="r0p(\d)"[\s\S]*?<\/Period>/g, (period, stretch) =>
        period.replaceAll(protectionOf(0), protectionOf(Number(stretch))),
      );
  origin.fail(({ kind }) => (kind === 'mpd' ? { does: 'rewrite', rewrite: ofPeriods } : undefined));
  await airLive(stage, 'cenc', { sourceManifestUrl: origin.dashUrl });
  await offerSpots(stage, 'cenc');
  const viewer = await stage.watch('cenc', { hls: false, opens: 'dash' });
  const seen = new Map<string, string>();
  await viewer.until('content of two Periods has surrounded ads', async () => {
    const mpd = await (await fetch(`${stage.midroll.liveUrl}/dash/cenc/${viewer.session}.mpd`)).text();
    for (const [period, id] of mpd.matchAll(/<Period id="([^"]+)"[\s\S]*?<\/Period>/g)) seen.set(id!, period);
    const stretches = [...seen.values()].map(stretchOf).join('');
    return /\da+\d/.test(stretches) && new Set(stretches.replaceAll('a', '')).size > 1;
  });
  await viewer.leave();
  expect(viewer.faults).toEqual([]);
  for (const period of seen.values()) {
    const sets = period.match(/<AdaptationSet[\s\S]*?<\/AdaptationSet>/g)!;
    const stretch = stretchOf(period);
    const ids = sets.map((set) =>
      [...set.matchAll(/default_KID="[^"]*(\d)"|pssh[^>]*>AAA(\d)</g)].map(([, a, b]) => a ?? b),
    );
    expect(ids).toEqual(sets.map(() => (stretch === 'a' ? [] : [stretch, stretch])));
    if (stretch === 'a') expect(period).not.toContain('ContentProtection');
  }
}

/** The stretch of the origin in its URLs; `a` for ads and slate. */
const stretchOf = (period: string): string => /http[^"]*\/[va]\d\/0\/(\d)\/t/.exec(decodeURI(period))?.[1] ?? 'a';
