// SPDX-License-Identifier: Apache-2.0
import { POLL, useGetAll } from '../api/useGet.ts';

/** The number of viewers of a channel; undefined until it is known. */
export const useViewers = (channelId: string): number | undefined =>
  useGetAll('/on-air', POLL.slow).data?.find(({ id }) => id === channelId)?.viewers;
