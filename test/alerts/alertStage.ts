// SPDX-License-Identifier: Apache-2.0
// A stage with a webhook receiver and a stream of events, both on the clock of the stage.
import { apiKey } from '../live/midroll.ts';
import { openVirtualStage, type Stage } from '../live/stage.ts';
import { type Received, startWebhookReceiver } from './webhookReceiver.ts';

// biome-ignore lint/suspicious/noExplicitAny: events have fields of every kind
export type SeenEvent = any;

export type AlertStage = Pick<Stage, 'api' | 'until'> & {
  readonly stage: Stage;
  /** Creates a receiver, whose id is the path that it is called at. */
  addReceiver(receiver: { readonly id: string } & Readonly<Record<string, unknown>>): Promise<void>;
  /** Creates a rule with a webhook of its own. */
  addRule(rule: { readonly id: string; readonly kind: string } & Readonly<Record<string, unknown>>): Promise<void>;
  /** What the webhook of a rule has received, oldest first. */
  delivered(rule: string): Received[];
  /** The events of a rule in the stream, oldest first. */
  streamed(rule: string): SeenEvent[];
  close(): Promise<void>;
};

export async function openAlertStage(): Promise<AlertStage> {
  const stage = await openVirtualStage();
  const { clock, midroll, api, until } = stage;
  const receiver = await startWebhookReceiver(() => clock.now());
  const events: SeenEvent[] = [];
  const closing = new AbortController();

  /** Reads responses one after the other, as a client that reconnects does. */
  async function readStream(): Promise<void> {
    const url = `${midroll.adminUrl}/api/v2/events/stream?seconds=600`;
    let last = '0';
    while (!closing.signal.aborted) {
      const headers = { 'x-api-key': apiKey, 'last-event-id': last };
      const response = await fetch(url, { headers, signal: closing.signal });
      let text = '';
      for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
        text += piece;
        const end = text.lastIndexOf('\n\n') + 2;
        for (const [, id, json] of text.slice(0, end).matchAll(/^id: (.*)\nevent: alert\ndata: (.*)$/gm)) {
          last = id!;
          events.push(JSON.parse(json!));
        }
        text = text.slice(end);
      }
    }
  }
  const reading = readStream().catch((error: unknown) => {
    if (!closing.signal.aborted) throw error;
  });

  const addReceiver: AlertStage['addReceiver'] = async (own) => {
    const { secret } = await api('POST', '/webhooks', { url: `${receiver.url}/${own.id}`, ...own });
    if (secret !== undefined) receiver.secrets.set(`/${own.id}`, secret);
  };
  return {
    ...{ stage, api, until, addReceiver },
    async addRule(rule) {
      await addReceiver({ id: rule.id });
      await api('POST', '/alert-rules', { webhooks: [rule.id], ...rule });
    },
    delivered: (rule) => receiver.at(`/${rule}`),
    streamed: (rule) => events.filter((event) => event.rule.id === rule),
    async close() {
      closing.abort();
      await reading;
      await stage.close();
      await receiver.close();
    },
  };
}
