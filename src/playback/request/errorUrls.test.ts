// SPDX-License-Identifier: Apache-2.0
// Calls to the Error URLs of ads that could not be shown.
import { describe, expect, it } from 'vitest';
import { adBreak, guard, inLine, now, session, useTestAdServer, vast } from '../../../test/testAdServer.ts';
import { createFireAndForget } from '../../adapters/http/httpAdServer.ts';
import type { CreativeFault } from '../../ads/creative/creative.ts';
import { callErrorUrls, errorBeaconsOf } from './errorUrls.ts';

const { request, serve, server, wrapper } = useTestAdServer();

describe('Error URLs', () => {
  it('are called with the code and the headers of the viewer', async () => {
    const url = `${server().url}/error?code=[ERRORCODE]&cb=[CACHEBUSTING]&s=[SESSION_ID]`;
    serve('/vast', `<VAST version="4.2"><Error><![CDATA[${url}]]></Error></VAST>`);
    const { errors } = await request('/vast');
    callErrorUrls(errors, { session, adBreak }, createFireAndForget(guard), now);
    const called = () => server().seen.find(({ path }) => path.startsWith('/error'));
    await expect.poll(called).toBeDefined();
    expect(called()?.path).toMatch(/^\/error\?code=303&cb=\d{8}&s=session-1$/);
    expect(called()?.headers).toMatchObject({ 'x-device-ip': '203.0.113.7', 'user-agent': 'Viewer/1' });
  });

  it('of an ad that cannot be shown include those of its wrappers', async () => {
    serve('/vast', vast(wrapper('w', '/ads')));
    serve('/ads', vast(inLine('a')));
    const { ad } = (await request('/vast')).ads[0]!;
    const codes = (code: 'CREATIVE_PREPARING' | 'MAX_ADS_REACHED') =>
      errorBeaconsOf(ad, { code }).map((one) => one.code);
    expect(codes('CREATIVE_PREPARING')).toEqual([407, 407]);
    expect(codes('MAX_ADS_REACHED')).toEqual([]);
  });

  it('of a creative that failed are called with the code of its fault', async () => {
    serve('/vast', vast(inLine('a')));
    const { ad } = (await request('/vast')).ads[0]!;
    const codeFor = (fault: CreativeFault) =>
      errorBeaconsOf(ad, { code: 'CREATIVE_FAILED', fault }).map(({ code }) => code);
    const faults: CreativeFault[] = ['NOT_FOUND', 'TIMED_OUT', 'UNREADABLE', 'TOO_LONG', 'NO_ROOM'];
    expect(faults.map(codeFor)).toEqual([[401], [402], [405], [202], [400]]);
    expect(errorBeaconsOf(ad, { code: 'CREATIVE_FAILED' }).map(({ code }) => code)).toEqual([405]);
  });
});
