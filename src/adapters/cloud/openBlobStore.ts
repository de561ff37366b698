// SPDX-License-Identifier: Apache-2.0
// Opens the object store that MEDIA_URL names. Loads the client of its kind only then: most installations have none. The
// operator has configured it, so its address may be private, and the egress guard does not apply.
import { Agent } from 'undici';
import type { MediaLocation } from '../../blobs/mediaLocation.ts';
import type { BlobContainer, BlobStore } from '../../blobs/ports.ts';

type StoreOptions = {
  readonly azureKey: string | undefined;
  readonly timeoutMs?: number;
  readonly tries?: number;
  /** The public URL of the store. By default, players get signed URLs. */
  readonly publicUrl?: string;
};

export type OpenedStore = {
  readonly blobs: BlobStore;
  /** Undefined if it has no URLs for players. */
  readonly container?: BlobContainer;
  close(): Promise<void>;
};

const TIMEOUT_MS = 10_000;
const TRIES = 2;
const RETRY_DELAY_MS = 200;
const CONNECT_TIMEOUT_MS = 2000;

export async function openBlobStore(location: MediaLocation, options: StoreOptions): Promise<OpenedStore> {
  const { azureKey = '', timeoutMs = TIMEOUT_MS, tries = TRIES, publicUrl } = options;
  const more = { timeoutMs, tries, ...(publicUrl === undefined ? {} : { publicUrl }) };
  const nothing = async () => {};
  switch (location.kind) {
    case 'folder': {
      const { openFolderStore } = await import('./folderStore.ts');
      return { blobs: openFolderStore(location.path), close: nothing };
    }
    case 's3': {
      const { openS3Container } = await import('./s3Container.ts');
      const container = openS3Container(location, more);
      return { blobs: container, container, close: nothing };
    }
    case 'azure': {
      const { openAzureContainer } = await import('./azureContainer.ts');
      const dispatcher = new Agent({ connect: { timeout: CONNECT_TIMEOUT_MS } });
      const { endpoint, account, container: name, prefix } = location;
      const target = { endpoint, account, key: azureKey, container: name };
      const container = openAzureContainer(target, { ...more, dispatcher, retryDelayMs: RETRY_DELAY_MS, prefix });
      return { blobs: container, container, close: () => dispatcher.destroy() };
    }
  }
}
