import { ApiError } from '../api/apiError.ts';
import { sessionAddress } from '../logic/addressesOf.ts';

type Channel = { readonly id: string; readonly apiKey?: string | undefined };

/** Becomes a viewer. @returns the address of the manifest */
export async function openSession(
  liveUrl: string,
  format: 'hls' | 'dash',
  channel: Channel,
  parameters: Readonly<Record<string, string>>,
): Promise<string> {
  const response = await fetch(sessionAddress(liveUrl, format, channel, parameters)).catch(() => {
    throw new ApiError(0, `The live interface cannot be reached at ${liveUrl}.`);
  });
  const said = (await response.json().catch(() => ({}))) as { mediaURL?: string; message?: string };
  if (!response.ok || said.mediaURL === undefined)
    throw new ApiError(response.status, said.message ?? `The live interface answered ${response.status}.`);
  return said.mediaURL;
}
