// An address that opens a session of a channel with a signing secret: docs/api.md, "Signed opening".

const VALID_SECONDS = 300;
const hex = (byte: number): string => byte.toString(16).padStart(2, '0');

/** @param now milliseconds; @returns the parameters that sign an address for a few minutes, none without a secret */
export async function signOpening(
  channel: { readonly id: string; readonly signingSecret?: string | undefined },
  now: number,
): Promise<Record<string, string>> {
  if (!channel.signingSecret) return {};
  const exp = String(Math.floor(now / 1000) + VALID_SECONDS);
  const bytes = (text: string) => new TextEncoder().encode(text);
  const key = await crypto.subtle.importKey(
    'raw',
    bytes(channel.signingSecret),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  );
  const signature = await crypto.subtle.sign('HMAC', key, bytes(`${channel.id}:${exp}`));
  return { exp, sig: [...new Uint8Array(signature)].map(hex).join('') };
}
