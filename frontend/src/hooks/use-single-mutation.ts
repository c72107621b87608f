import { type UseMutationOptions, useMutation } from '@tanstack/react-query';
import { useRef } from 'react';

/**
 * A mutation that ignores calls while one is running. `isPending` alone is too late: the second click of a double click
 * comes before the next render.
 */
export function useSingleMutation<Data, Input>(options: UseMutationOptions<Data, Error, Input>) {
  const running = useRef(false);
  const mutation = useMutation<Data, Error, Input>({
    ...options,
    onSettled: (...results) => {
      running.current = false;
      return options.onSettled?.(...results);
    },
  });
  const mutate = (input: Input) => {
    if (running.current) return;
    running.current = true;
    mutation.mutate(input);
  };
  return { ...mutation, mutate };
}
