// SPDX-License-Identifier: Apache-2.0

import { PREVIEW_PARAMETER } from '../../../src/ads/request/preview.ts';
import type { OpenedSession } from '../../../src/http/contract/airContract.ts';
import type { ErrorResponse } from '../../../src/http/contract/commonContract.ts';
import { ApiError } from '../api/apiError.ts';
import { call } from '../api/call.ts';
import { wait } from '../api/wait.ts';
import { type ChannelKeys, type Format, sessionUrl } from './playbackUrls.ts';
import { signSession } from './signSession.ts';

/** A channel responds with 503 for a few seconds after it was put on air, and while the content of VoD is imported. */
const OPEN_TIMEOUT_MS = 30_000;
const RETRY_DELAY_MS = 1000;

/**
 * Opens a session as a preview: its breaks are not counted or tracked.
 * @param parameters of the URL: those of the ad server, and `content` and `start` of VoD
 * @throws {ApiError}
 */
export async function openSession(
  liveUrl: string,
  format: Format,
  channel: ChannelKeys,
  parameters: Readonly<Record<string, string>>,
): Promise<OpenedSession> {
  // Browsers sign in secure contexts only (Web Cryptography API §10).
  if (channel.signingSecret && !globalThis.crypto?.subtle)
    throw new ApiError(
      0,
      'This channel requires signed URLs. To preview it, open the console over HTTPS or on localhost.',
    );
  const preview = await call('POST', '/channels/{id}/preview', { path: { id: channel.id } });
  const deadline = Date.now() + OPEN_TIMEOUT_MS;
  for (;;) {
    const signed = {
      ...parameters,
      [PREVIEW_PARAMETER]: preview.body.token,
      ...(await signSession(channel, Date.now())),
    };
    const response = await fetch(sessionUrl(liveUrl, format, channel, signed)).catch(() => {
      throw new ApiError(0, `The live port is unreachable at ${liveUrl}.`);
    });
    const body = (await response.json().catch(() => ({}))) as Partial<OpenedSession & ErrorResponse>;
    if (response.ok && body.mediaURL !== undefined) return body as OpenedSession;
    if (response.status !== 503 || Date.now() > deadline)
      throw new ApiError(response.status, body.message ?? `Session not opened: status ${response.status}.`);
    await wait(RETRY_DELAY_MS);
  }
}
