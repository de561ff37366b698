// Who is told that an ad could not be shown.
import { describe, expect, it } from 'vitest';
import { adQuestions, asked, guard, inLine, now, session, vast } from '../../test/adQuestions.ts';
import { createFireAndForget } from '../adapters/fireAndForget.ts';
import { errorsOf, tellErrors } from './askAdsErrors.ts';

const { ask, serve, server, wrapper } = adQuestions();

describe('Error URLs', () => {
  it('are told the code, on behalf of the viewer', async () => {
    const url = `${server().url}/error?code=[ERRORCODE]&cb=[CACHEBUSTING]&s=[SESSION_ID]`;
    serve('/vast', `<VAST version="4.2"><Error><![CDATA[${url}]]></Error></VAST>`);
    const { errors } = await ask('/vast');
    tellErrors(errors, { session, asked }, createFireAndForget(guard), now);
    const told = () => server().seen.find(({ path }) => path.startsWith('/error'));
    await expect.poll(told).toBeDefined();
    expect(told()?.path).toMatch(/^\/error\?code=303&cb=\d{8}&s=session-1$/);
    expect(told()?.headers).toMatchObject({ 'x-device-ip': '203.0.113.7', 'user-agent': 'Viewer/1' });
  });

  it('of an ad that cannot be shown are those of its wrappers too', async () => {
    serve('/vast', vast(wrapper('w', '/ads')));
    serve('/ads', vast(inLine('a')));
    const { ad } = (await ask('/vast')).ads[0]!;
    const codes = (code: 'CREATIVE_PREPARING' | 'MAX_ADS_REACHED') =>
      errorsOf(ad, { code, text: '' }).map((one) => one.code);
    expect(codes('CREATIVE_PREPARING')).toEqual([407, 407]);
    expect(codes('MAX_ADS_REACHED')).toEqual([]);
  });

  it.each([
    [401, 'it could not be fetched: answered 404'],
    [401, 'it could not be fetched: refused the connection'],
    [401, "its manifest can't be used: https://m.example/a.m3u8 answered 403"],
    [401, 'its own segments are no longer there: the last one answered 410'],
    [402, 'it could not be fetched: did not answer completely within 120000 ms'],
    [402, 'it could not be fetched: stopped sending its answer'],
    [405, 'it could not be fetched: sent more than 100 bytes'],
    [405, 'it is no video file that can be read'],
  ])('say %d of a creative of which it is known that %s', async (code, reason) => {
    serve('/vast', vast(inLine('a')));
    const { ad } = (await ask('/vast')).ads[0]!;
    const text = `Its creative cannot be shown: ${reason}`;
    expect(errorsOf(ad, { code: 'CREATIVE_FAILED', text }).map((one) => one.code)).toEqual([code]);
  });
});
