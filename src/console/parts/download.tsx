import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { ApiError } from '../api/client.ts';
import { saveFile } from './save-file.ts';
import { tellFailed } from './tell.ts';

interface Props {
  /** By `addressOf`. It is asked for with the headers of the console, which a plain link would not send. */
  readonly address: string;
  readonly fileName: string;
  readonly children: ReactNode;
}

/** Saves what an operation answers as a file. */
export function Download({ address, fileName, children }: Props) {
  const [isBusy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      await saveFile(address, fileName);
    } catch (error) {
      tellFailed(error as ApiError);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button variant="default" loading={isBusy} leftSection={<IconDownload size={16} />} onClick={() => void save()}>
      {children}
    </Button>
  );
}
