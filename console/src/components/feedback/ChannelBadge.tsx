// SPDX-License-Identifier: Apache-2.0
import { type ChannelState, channelHealth } from '../../logic/channels/channelHealth.ts';
import { StatusBadge } from './Badge.tsx';
import { channelStatuses, vodStatuses } from './statuses.ts';

export const ChannelBadge = ({ channel }: { readonly channel: ChannelState }) => (
  <StatusBadge status={(channel.type === 'vod' ? vodStatuses : channelStatuses)[channelHealth(channel)]} />
);
