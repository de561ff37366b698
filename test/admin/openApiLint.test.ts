// SPDX-License-Identifier: Apache-2.0
// The OpenAPI document as its users' tools judge it: the recommended rules of Spectral and of Redocly, and patterns that the
// regular expressions of other languages can read.
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { type RulesetDefinition, Spectral } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { expect, test } from 'vitest';
import { opened } from '../opened.ts';
import { startAdmin } from '../servers/adminServer.ts';

const admin = await opened(startAdmin());
const document = (await admin.app.inject({ url: '/openapi.json', headers: { host: 'midroll.test' } })).body;

test('Spectral finds nothing', async () => {
  const spectral = new Spectral();
  spectral.setRuleset({ extends: [[oas as RulesetDefinition, 'recommended']] });
  const findings = await spectral.run(document);
  expect(findings.map(({ code, message, path }) => `${code} at ${path.join('/')}: ${message}`)).toEqual([]);
});

// Paths of the public contract, which players have used for years. Midroll reads "view" first.
const ambiguous = [
  '`/hls/view/{channelId}` and `/hls/{channelId}/master.m3u8`',
  '`/dash/view/{channelId}` and `/dash/{channelId}/{sessionId}.mpd`',
  '`/hls/view/{channelId}` and `/hls/{channelId}/channel.m3u8`',
  '`/dash/view/{channelId}` and `/dash/{channelId}/channel.mpd`',
  '`/dash/view/{channelId}` and `/dash/{channelId}/guided.mpd`',
  // No key of a distributor is "guided".
  '`/hls/{channelId}/{sessionId}/guided/{rung}.m3u8` and `/hls/{channelId}/distributors/{key}/{rung}.m3u8`',
].map((paths) => `no-ambiguous-paths: Paths should resolve unambiguously. Found two ambiguous paths: ${paths}.`);

test('Redocly finds nothing but paths that cannot change', async () => {
  const config = await createConfig({ extends: ['recommended'] });
  const findings = await lintFromString({ source: document, absoluteRef: 'openapi.json', config });
  expect(findings.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual(ambiguous);
});

test('patterns contain nothing that only JavaScript reads', () => {
  const patterns = new Set(
    [...document.matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(([, text]) => JSON.parse(text!)),
  );
  expect(patterns.size).toBeGreaterThan(5);
  for (const pattern of patterns) {
    // Without the flag u, as some validators compile them. Go has no look-around, and repeats at most 1000 times.
    expect(() => new RegExp(pattern), pattern).not.toThrow();
    expect(pattern).not.toMatch(/\\[pPuk]|\(\?|\{\d*,?\d{4,}\}/);
  }
});
