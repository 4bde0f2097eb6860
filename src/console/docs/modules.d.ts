/** Address of the file that has it. */
declare module 'virtual:reference-bundle' {
  const address: string;
  export default address;
}
