// SPDX-License-Identifier: Apache-2.0
// An ad server of the test, which returns the documents that the test writes, and requests to it.
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { createEgressGuard } from '../src/adapters/http/egressGuard.ts';
import { createHttpAdServer } from '../src/adapters/http/httpAdServer.ts';
import { createAdResponseReader } from '../src/adapters/vast/adResponseReader.ts';
import type { BreakOutcome, ServerOutcome } from '../src/ads/record/breakRecord.ts';
import type { OpenRtbSource } from '../src/channels/demand.ts';
import { type AdRequestContext, requestAds } from '../src/playback/request/requestAds.ts';
import { type BidsDeps, requestBids } from '../src/playback/request/requestBids.ts';
import { type PresentationOutcome, requestPresentation } from '../src/playback/request/requestPresentation.ts';
import type { SourceRequest } from '../src/playback/request/requestSteps.ts';
import { millis } from '../src/time/units.ts';
import type { TestClock } from './clock/testClock.ts';
import { createVirtualClock } from './clock/virtualClock.ts';
import { type MisbehavingServer, startMisbehavingServer } from './servers/misbehavingServer.ts';

export const guard = createEgressGuard({ allow: ['127.0.0.1'] });
export const now = millis(1_700_000_000_000);
export const session = {
  id: 'session-1',
  channelId: 'news',
  parameters: { genre: 'sport' },
  viewer: { address: '203.0.113.7', userAgent: 'Viewer/1' },
};
export const adBreak = { id: 'break-1', startsAt: now, duration: 30 };

export const vast = (...ads: string[]) => `<VAST version="4.2">${ads.join('')}</VAST>`;
const attributes = (values: Record<string, unknown>) =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${value}"`)
    .join('');

export const inLine = (id: string, more: { sequence?: number } = {}) => `
  <Ad id="${id}"${attributes(more)}><InLine>
    <AdSystem>test</AdSystem><AdTitle>Ad ${id}</AdTitle>
    <Error>http://t.example/error/${id}?code=[ERRORCODE]</Error>
    <Impression>http://t.example/impression/${id}</Impression>
    <Creatives><Creative><Linear><Duration>00:00:15</Duration><MediaFiles>
      <MediaFile delivery="progressive" type="video/mp4" width="640" height="360">http://c.example/${id}.mp4</MediaFile>
    </MediaFiles></Linear></Creative></Creatives>
  </InLine></Ad>`;

export const idsOf = (outcome: BreakOutcome) =>
  outcome.ads.map(({ ad, sequence }) => (sequence ? `${sequence}:${ad.id}` : ad.id));
export const droppedOf = (outcome: BreakOutcome) => outcome.dropped.map(({ id, skip }) => `${id} ${skip.code}`);
export const errorsOf = (outcome: BreakOutcome) =>
  outcome.errors.map(({ url, code }) => `${/error\/(\w+)/.exec(url)?.[1]} ${code}`).sort();

type BidRequest = SourceRequest<OpenRtbSource>;

/** Call at the top of a file: each test gets its own ad server and a virtual clock. */
export function useTestAdServer() {
  let server: MisbehavingServer;
  let clock: TestClock;
  beforeAll(() => {
    clock = createVirtualClock(now);
  });
  afterAll(() => clock.stop());
  beforeEach(async () => {
    server = await startMisbehavingServer();
  });
  afterEach(() => server.close());

  function clients() {
    const { timers } = clock;
    const adServer = createHttpAdServer(guard, { timers });
    const reader = createAdResponseReader({ maxUrls: 100, timers });
    return [adServer, reader, { now: () => now, timers }] as const;
  }

  function send<Outcome>(
    by: (...of: Parameters<typeof requestAds>) => Promise<Outcome>,
    path: string,
    more: Partial<AdRequestContext['source']>,
  ): Promise<Outcome> {
    const source = { url: `${server.url}${path}`, timeoutMs: 20_000, ...more };
    return by({ source, session, adBreak }, ...clients());
  }

  return {
    server: () => server,
    /** Milliseconds. */
    elapsed: () => clock.timers.elapsed(),

    request(path: string, more: Partial<AdRequestContext['source']> = {}): Promise<ServerOutcome> {
      return send(requestAds, path, more);
    },

    /** Requests bids for the break of the test. */
    requestBids(path: string, of: Partial<OpenRtbSource> = {}, more: Partial<BidRequest & BidsDeps> = {}) {
      const source = { type: 'openrtb', id: 'exchange', tenant: 't', url: `${server.url}${path}`, ...of } as const;
      const place = {
        step: 1,
        session,
        adBreak: { ...adBreak, maxAds: 3 },
        rules: undefined,
        before: [],
        about: undefined,
      };
      const [adServer, reader, times] = clients();
      return requestBids(
        { source, timeoutMs: 20_000, ...place, ...more },
        { type: 'live', tracking: 'server' },
        { adServer, reader, ...times, ...more },
      );
    },

    /** Requests the ads of a whole presentation. */
    requestPresentation(path: string, more: Partial<AdRequestContext['source']> = {}): Promise<PresentationOutcome> {
      return send(requestPresentation, path, more);
    },

    /** @param to a path of the server, or an absolute URL */
    wrapper: (id: string, to: string, more: Record<string, unknown> = {}, sequence?: number) => `
  <Ad id="${id}"${sequence === undefined ? '' : ` sequence="${sequence}"`}><Wrapper${attributes(more)}>
    <AdSystem>test</AdSystem>
    <VASTAdTagURI><![CDATA[${to.startsWith('/') ? server.url + to : to}]]></VASTAdTagURI>
    <Error>http://t.example/error/${id}?code=[ERRORCODE]</Error>
    <Impression>http://t.example/impression/${id}</Impression>
  </Wrapper></Ad>`,

    /** Serves a document at a path. @param after delay in milliseconds */
    serve(path: string, document: string, after = 0): void {
      server.on(path, (response) => {
        clock.timers.after(after, () => {
          response.writeHead(200, { 'content-type': 'application/xml' }).end(document);
        });
      });
    },
  };
}
