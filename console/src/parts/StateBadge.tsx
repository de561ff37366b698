import type { OnAirChannel } from '../../../src/http/consoleContract.ts';
import { type Concern, concernOf } from '../logic/concern.ts';
import { Badge, type Tone } from './Badge.tsx';

const words: Readonly<Record<Concern, readonly [Tone, string]>> = {
  failed: ['bad', 'Failed'],
  impaired: ['warn', 'On air, with problems'],
  preparing: ['info', 'Being prepared'],
  well: ['good', 'On air'],
  off: ['calm', 'Off'],
};

export function StateBadge({
  channel,
}: {
  readonly channel: Pick<OnAirChannel, 'state' | 'stateReason' | 'preparation'>;
}) {
  const [tone, text] = words[concernOf(channel)];
  return <Badge tone={tone}>{text}</Badge>;
}
