// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { nearestRendition, variantInPlace } from './nearestRendition.ts';

test.each<[string, string, string[], string | undefined]>([
  [
    'the nearest bit rate of its size',
    'v:640x360:900000:avc1.64001f',
    ['v:640x360:1500000:avc1.64001f', 'v:640x360:950000:avc1.64001e', 'v:1280x720:900000:avc1.64001f'],
    'v:640x360:950000:avc1.64001e',
  ],
  ['no other codec', 'v:640x360:900000:avc1.64001f', ['v:640x360:900000:hvc1.1.6.L93.B0'], undefined],
  [
    'codecs in another order',
    'v:640x360:900000:avc1.64001f,mp4a.40.2',
    ['v:640x360:910000:mp4a.40.2,avc1.64001f#2'],
    'v:640x360:910000:mp4a.40.2,avc1.64001f#2',
  ],
  ['no rung of another bit rate', 'v:640x360:900000:avc1.64001f', ['v:640x360:2000000:avc1.64001f'], undefined],
  ['variants that state nothing', 'v:::', ['v:::#2'], 'v:::#2'],
  [
    'audio of its language',
    'audio:aac:English:en',
    ['audio:aac-2:German:de', 'audio:aac-2:English (stereo):en', 'subtitles:t:English:en'],
    'audio:aac-2:English (stereo):en',
  ],
  ['audio only if it is certain', 'audio:aac:English:en', ['audio:b:English:en', 'audio:b:Commentary:en'], undefined],
])('finds %s', (_what, key, free, expected) => {
  expect(nearestRendition(key, free)).toBe(expected);
});

test.each<[string, string, string[], string | undefined]>([
  [
    'the nearest height, then the nearest bit rate',
    'v:320x180:200000:avc1.64000d',
    [
      'v:1280x720:200000:avc1.64001f',
      'v:640x360:800000:avc1.64001e',
      'v:640x360:600000:avc1.64001e',
      'audio:a:English:en',
    ],
    'v:640x360:600000:avc1.64001e',
  ],
  ['no other codec', 'v:320x180:200000:avc1.64000d', ['v:320x180:200000:hvc1.1.6.L60.B0'], undefined],
  ['no audio', 'audio:a:English:en', ['audio:b:German:de'], undefined],
])('in place of a lost variant, finds %s', (_what, key, all, expected) => {
  expect(variantInPlace(key, all)).toBe(expected);
});
