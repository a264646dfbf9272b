/** Permissions of signers, in the order of the contract; in a separate file, so that commands load no schemas. */
export const SIGNER_PERMISSIONS = [
  'WRITE_ALL',
  'READ_ONLY',
  'NONE',
  'PUBLISH_CAST',
  'DELETE_CAST',
  'PUBLISH_REACTION',
  'DELETE_REACTION',
  'UPDATE_PROFILE',
  'FOLLOW_USER',
  'UNFOLLOW_USER',
  'FOLLOW_CHANNEL',
  'UNFOLLOW_CHANNEL',
  'ADD_VERIFICATION',
  'REMOVE_VERIFICATION',
  'WRITE_FRAME_ACTION',
] as const;
