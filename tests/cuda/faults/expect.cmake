# Runs COMMAND, which has to fail and to say EXPECTED. (CTest takes a program that a signal ended for failed, whatever it
# was to print.)
execute_process(COMMAND ${COMMAND} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(result EQUAL 0)
  message(FATAL_ERROR "ended well, with\n${output}")
endif()
if(NOT output MATCHES "${EXPECTED}")
  message(FATAL_ERROR "ended with ${result}, without \"${EXPECTED}\", but with\n${output}")
endif()
