// SPDX-License-Identifier: Apache-2.0
import type { ChannelResponse } from '../../../src/http/contract/channelContract.ts';
import { POLL, useGet } from '../api/useGet.ts';
import { Notice } from '../components/feedback/Notice.tsx';
import { slateReason } from './slateReason.ts';

type SlateNoticeProps = {
  readonly channel: ChannelResponse;
  readonly sessionId: string | undefined;
  readonly pictureAt: number | undefined;
};

/** Below the picture while it shows slate: why. */
export function SlateNotice({ channel, sessionId, pictureAt }: SlateNoticeProps) {
  const isPlaying = sessionId !== undefined && pictureAt !== undefined;
  const trace = useGet('/sessions/{id}', isPlaying ? { path: { id: sessionId } } : null, POLL.active);
  const text = isPlaying ? slateReason(trace.data?.breaks ?? [], pictureAt, channel.problems ?? []) : undefined;
  return text === undefined ? null : <Notice tone="warn">{text}.</Notice>;
}
