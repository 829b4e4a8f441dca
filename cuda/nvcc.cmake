# How nvcc compiles percepts_cuda. Sets the list `architectures` of those with machine code.
set(architectures)
if(PERCEPTS_CUDA_ARCHITECTURES)
  set(code ${PERCEPTS_CUDA_ARCHITECTURES})
  string(REGEX MATCHALL "[0-9]+" architectures "${code}")
else()
  execute_process(COMMAND ${CMAKE_CUDA_COMPILER} --list-gpu-code
    OUTPUT_VARIABLE known COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[0-9]+" known "${known}")
  set(code)
  foreach(architecture IN ITEMS 75 80 86 87 89 90 100 110 120)
    if(architecture IN_LIST known)
      list(APPEND architectures ${architecture})
      list(APPEND code ${architecture}-real)
    endif()
  endforeach()
  list(APPEND code 80-virtual) # for cards that are newer than this nvcc
endif()
list(REMOVE_DUPLICATES architectures)
list(SORT architectures COMPARE NATURAL)
message(STATUS "percepts::cuda with CUDA ${CMAKE_CUDA_COMPILER_VERSION} for ${code}")

set_target_properties(percepts_cuda PROPERTIES
  CUDA_ARCHITECTURES "${code}"
  CUDA_STANDARD 20
  CUDA_STANDARD_REQUIRED ON
  CUDA_EXTENSIONS OFF
  CUDA_RUNTIME_LIBRARY None) # it is linked below, also by those who have no nvcc
target_compile_options(percepts_cuda PRIVATE
  $<$<COMPILE_LANGUAGE:CUDA>:-fmad=false>
  $<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr>
  # Without -Wpedantic, which nvcc's own line directives do not satisfy.
  "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra,-Wshadow,-Wconversion,-ffp-contract=off>"
  "$<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<BOOL:${PERCEPTS_WERROR}>>:SHELL:-Werror all-warnings -Xcompiler=-Werror>")
list(JOIN architectures "," architecture_list)
set_source_files_properties(src/machine.cpp PROPERTIES
  COMPILE_DEFINITIONS "PERCEPTS_CUDA_ARCHITECTURES=${architecture_list}")
target_link_libraries(percepts_cuda PRIVATE CUDA::cudart_static)
