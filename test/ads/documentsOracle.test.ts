// The same documents as @dailymotion/vast-client reads them, which was written by others. Where the two say other things of
// an ad in line, the table says what they say and which of them a person would side with.
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { VASTClient } from '@dailymotion/vast-client';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { flicksToSeconds } from '../../src/time/units.ts';
import { readVast } from '../../src/vast/read/readVast.ts';

const folder = join(import.meta.dirname, 'documents');

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

/** What both say of an ad in line, in one form. */
const line = (
  id: string | null | undefined,
  sequence: string | number | null | undefined,
  title: string | null | undefined,
  impressions: readonly string[],
  linears: readonly { readonly seconds: number | undefined; readonly media: readonly string[] }[],
): string => {
  const told = linears.map(({ seconds, media }) => `${seconds ?? '?'} s of ${[...media].sort().join(' ')}`).join(', ');
  return `${sequence ?? '-'} ${id ?? ''} "${title ?? ''}" heard by ${[...impressions].sort().join(' ')}: ${told}`;
};

function ours(bytes: Uint8Array): string[] {
  const read = readVast(bytes);
  if ('reason' in read) return [];
  return read.ads.flatMap((ad) => {
    if (ad.kind === 'wrapper') return [];
    const linears = ad.creatives.flatMap(({ linear }) => (linear ? [linear] : []));
    const told = linears.map(({ duration, mediaFiles }) => ({
      seconds: duration === undefined ? undefined : flicksToSeconds(duration),
      media: mediaFiles.map(({ url }) => url),
    }));
    const impressions = ad.impressions.map(({ url }) => url);
    return [line(ad.id, ad.sequence, ad.adTitle, impressions, told)];
  });
}

let server: Server;
beforeAll(async () => {
  server = createServer((request, response) => {
    response.setHeader('content-type', 'application/xml');
    response.end(readFileSync(join(folder, request.url!)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // Its parser complains there of what it can't read.
  for (const method of ['warn', 'error'] as const) vi.spyOn(console, method).mockImplementation(() => {});
});
afterAll(() => {
  vi.restoreAllMocks();
  server.closeAllConnections();
  server.close();
});

async function theirs(file: string): Promise<string[]> {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${file}`;
  const read = await new VASTClient()
    .get(url, { resolveAll: true, wrapperLimit: 0, timeout: 60_000 })
    .catch(() => ({ ads: [] }));
  return (read.ads as unknown as TheirAd[]).map(({ id, sequence, title, impressionURLTemplates, creatives }) => {
    const linears = creatives.filter(({ type }) => type === 'linear');
    const told = linears.map(({ duration, mediaFiles = [] }) => ({
      seconds: duration !== undefined && duration >= 0 ? duration : undefined,
      media: mediaFiles.map(({ fileURL }) => fileURL),
    }));
    return line(
      id,
      sequence,
      title,
      impressionURLTemplates.map(({ url: told }) => told),
      told,
    );
  });
}

/** Why the two differ; in all of these a person sees what we see. */
const differences: Readonly<Record<string, string>> = {
  '04-lower-case-bom.xml': 'They know elements only as VAST writes them.',
  '05-latin1-ampersand.xml': 'They take every document for UTF-8.',
  '10-prefixed-and-commented.xml': 'They know elements only without a prefix.',
  '12-cut-off.xml': 'They read nothing of a document that breaks off, and its first ad is whole.',
  '13-untyped-and-untimed.xml': 'They tell impressions to whatever is written there, an unfilled macro too.',
  '14-vast1.xml': 'They read no VAST 1.',
  '17-durations-as-they-come.xml':
    'They know HH:MM:SS.mmm only. Lengths are measured anyhow; what is told is for the trace.',
  '18-addresses-as-they-come.xml': 'They hand on addresses as they are written; nobody can fetch those.',
  '22-ads-of-no-kind.xml':
    'They drop an ad that holds neither InLine nor Wrapper; we tell that it came and why it is not shown.',
  '28-utf16.xml': 'They take every document for UTF-8.',
  '29-windows-1252.xml': 'They take every document for UTF-8.',
  '31-vast1-wrapped-and-tracked.xml': 'They read no VAST 1.',
  '32-stray-end-tags.xml': 'They stop at the early end tag, and keep "https:/" as it is written.',
  '33-typographic-quotes.xml': 'They take the quotes for a part of the value.',
  '34-behind-a-notice.xml': 'They read nothing when something stands before the document.',
};

test.each(readdirSync(folder))('%s', async (file) => {
  const [own, other] = [ours(readFileSync(join(folder, file))), await theirs(file)];
  if (differences[file] === undefined) expect(own).toEqual(other);
  else expect(own, `${differences[file]} no longer holds`).not.toEqual(other);
});
