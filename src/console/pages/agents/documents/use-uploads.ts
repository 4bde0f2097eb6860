import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type ApiError, addressOf, reach } from '../../../api/client.ts';
import { type Objection, type Room, sorted } from './chosen-files.ts';

export interface Refused {
  readonly name: string;
  /** Seen here, or what the gateway said. */
  readonly why: Objection | ApiError;
}

export interface Uploads {
  /** The file that is on its way. */
  readonly sending: string | undefined;
  readonly refused: readonly Refused[];
  send(files: readonly File[], room: Room): Promise<void>;
  forget(): void;
}

/** Files on their way to an agent, one after another. */
export function useUploads(agentId: string): Uploads {
  const client = useQueryClient();
  const [sending, setSending] = useState<string>();
  const [refused, setRefused] = useState<readonly Refused[]>([]);
  const send = async (files: readonly File[], room: Room): Promise<void> => {
    const chosen = sorted(files, room);
    const failed: Refused[] = [...chosen.refused];
    setRefused(failed);
    for (const file of chosen.sent) {
      setSending(file.name);
      const form = new FormData();
      form.append('file', file, file.name);
      try {
        const address = addressOf('addAgentDocument', { params: { id: agentId } });
        await reach(address, { method: 'POST', body: form });
      } catch (error) {
        failed.push({ name: file.name, why: error as ApiError });
        setRefused([...failed]);
      }
      await client.invalidateQueries({ queryKey: ['listAgentDocuments'] });
    }
    setSending(undefined);
  };
  return { sending, refused, send, forget: () => setRefused([]) };
}
