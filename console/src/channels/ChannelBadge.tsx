// SPDX-License-Identifier: Apache-2.0

import { StatusBadge, type Statuses } from '../components/feedback/Badge.tsx';
import { type ChannelHealth, type ChannelState, channelHealth } from './channelHealth.ts';

const channelStatuses: Statuses<ChannelHealth> = {
  failed: ['bad', 'Failed'],
  degraded: ['warn', 'Degraded'],
  preparing: ['info', 'Preparing'],
  healthy: ['good', 'On air'],
  offAir: ['calm', 'Off air'],
};

/** VoD channels are not on air: players open them at any time. */
const vodStatuses: Statuses<ChannelHealth> = {
  ...channelStatuses,
  healthy: ['good', 'Enabled'],
  offAir: ['calm', 'Disabled'],
};

export const ChannelBadge = ({ channel }: { readonly channel: ChannelState }) => (
  <StatusBadge status={(channel.type === 'vod' ? vodStatuses : channelStatuses)[channelHealth(channel)]} />
);
