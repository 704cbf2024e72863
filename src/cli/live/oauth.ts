/** The client library of OAuth 2.0, in a separate file: it is loaded when a token is asked for. */
export {
  allowInsecureRequests,
  ClientSecretPost,
  clientCredentialsGrantRequest,
  customFetch,
  OperationProcessingError,
  processClientCredentialsResponse,
  ResponseBodyError,
  UnsupportedOperationError,
  WWWAuthenticateChallengeError,
} from 'oauth4webapi'
