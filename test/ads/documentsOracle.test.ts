// SPDX-License-Identifier: Apache-2.0
// Compares readVast with the independent parser @dailymotion/vast-client on the same documents. Documents that the two read
// differently are listed with the reason.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VASTClient } from '@dailymotion/vast-client';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { flicksToSeconds } from '../../src/time/units.ts';
import { readVast } from '../../src/vast/read/readVast.ts';
import { serveInTests } from '../serve.ts';

const folder = join(import.meta.dirname, 'documents');
const documents = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.xml'));

type TheirAd = {
  readonly id: string | null;
  readonly sequence: string | null;
  readonly title: string | null;
  readonly impressionURLTemplates: readonly { readonly url: string }[];
  readonly creatives: readonly {
    readonly type: string;
    readonly duration?: number;
    readonly mediaFiles?: readonly { readonly fileURL: string }[];
  }[];
};

/** What both parsers return for an InLine ad, in a common form. */
const describeAd = (
  id: string | null | undefined,
  sequence: string | number | null | undefined,
  title: string | null | undefined,
  impressions: readonly string[],
  linears: readonly { readonly seconds: number | undefined; readonly media: readonly string[] }[],
): string => {
  const videos = linears
    .map(({ seconds, media }) => `${seconds ?? '?'} s of ${[...media].sort().join(' ')}`)
    .join(', ');
  return `${sequence ?? '-'} ${id ?? ''} "${title ?? ''}" impressions ${[...impressions].sort().join(' ')}: ${videos}`;
};

function ours(bytes: Uint8Array): string[] {
  const read = readVast(bytes);
  if ('reason' in read) return [];
  return read.ads.flatMap((ad) => {
    if (ad.kind === 'wrapper') return [];
    const linears = ad.creatives.flatMap(({ linear }) => (linear ? [linear] : []));
    const videos = linears.map(({ duration, mediaFiles }) => ({
      seconds: duration === undefined ? undefined : flicksToSeconds(duration),
      media: mediaFiles.map(({ url }) => url),
    }));
    const impressions = ad.impressions.map(({ url }) => url);
    return [describeAd(ad.id, ad.sequence, ad.adTitle, impressions, videos)];
  });
}

const base = await serveInTests((request, response) => {
  response.setHeader('content-type', 'application/xml');
  response.end(readFileSync(join(folder, request.url!)));
});
beforeAll(() => {
  // vast-client logs parse errors to the console.
  for (const method of ['warn', 'error'] as const) vi.spyOn(console, method).mockImplementation(() => {});
});
afterAll(() => void vi.restoreAllMocks());

async function theirs(name: string): Promise<string[]> {
  const url = `${base}/${name}`;
  const read = await new VASTClient()
    .get(url, { resolveAll: true, wrapperLimit: 0, timeout: 60_000 })
    .catch(() => ({ ads: [] }));
  return (read.ads as unknown as TheirAd[]).map(({ id, sequence, title, impressionURLTemplates, creatives }) => {
    const linears = creatives.filter(({ type }) => type === 'linear');
    const videos = linears.map(({ duration, mediaFiles = [] }) => ({
      seconds: duration !== undefined && duration >= 0 ? duration : undefined,
      media: mediaFiles.map(({ fileURL }) => fileURL),
    }));
    const impressions = impressionURLTemplates.map((one) => one.url);
    return describeAd(id, sequence, title, impressions, videos);
  });
}

/** How vast-client differs. In each case readVast returns what a person would expect. */
const differences: Readonly<Record<string, string>> = {
  'encodings/lower-case-with-bom.xml': 'vast-client requires element names in the case of the specification.',
  'encodings/latin1-with-ampersand.xml': 'vast-client reads every document as UTF-8.',
  'features/prefixes-and-comments.xml': 'vast-client ignores elements with a prefix.',
  'malformed/truncated.xml': 'vast-client reads nothing of a truncated document; its first ad is complete.',
  'values/missing-types-and-duration.xml': 'vast-client keeps an impression URL that is only an unfilled macro.',
  'features/vast1.xml': 'vast-client does not support VAST 1.',
  'values/durations.xml': 'vast-client accepts only HH:MM:SS.mmm.',
  'values/urls.xml': 'vast-client keeps invalid URLs, which cannot be fetched.',
  'values/neither-inline-nor-wrapper.xml':
    'vast-client drops an ad without InLine and Wrapper; readVast keeps it, so that the trace can explain it.',
  'encodings/utf16.xml': 'vast-client reads every document as UTF-8.',
  'encodings/windows-1252.xml': 'vast-client reads every document as UTF-8.',
  'features/vast1-wrapper-and-tracking.xml': 'vast-client does not support VAST 1.',
  'malformed/stray-end-tags.xml': 'vast-client stops at the premature end tag, and keeps "https:/" unchanged.',
  'malformed/typographic-quotes.xml': 'vast-client reads the quotes as part of the value.',
  'malformed/content-before-root.xml': 'vast-client reads nothing of a document with content before it.',
};

test.each(documents)('%s', async (name) => {
  const [own, other] = [ours(readFileSync(join(folder, name))), await theirs(name)];
  if (differences[name] === undefined) expect(own).toEqual(other);
  else expect(own, `No longer true: ${differences[name]}`).not.toEqual(other);
});
